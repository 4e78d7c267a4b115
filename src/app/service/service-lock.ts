import { mkdir } from "node:fs/promises";
import { Failure, isFailure } from "../../core/errors.ts";
import { lockFolder } from "../../storage/folder-lock.ts";
import { serviceFolder } from "../../storage/paths.ts";

/**
 * Takes the lock of a service on its data folder, which excludes a second service and commands that remove data.
 * Throws `Failure` `store-busy`.
 */
export async function lockService(folder: string): Promise<{ release(): Promise<void> }> {
  const own = serviceFolder(folder);
  await mkdir(own, { recursive: true });
  try {
    return lockFolder(own);
  } catch (error) {
    if (!isFailure(error, "store-busy")) throw error;
    throw new Failure(
      "store-busy",
      `A service is using ${folder}. Stop it first, or remove the video on its page or with DELETE /api/v1/videos/ID.`,
      error.facts,
      { cause: error },
    );
  }
}
