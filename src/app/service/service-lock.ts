import { mkdir } from "node:fs/promises";
import { join } from "node:path";
import { Failure, isFailure } from "../../core/errors.ts";
import { lockFolder } from "../../storage/folder-lock.ts";

/**
 * Takes the lock that a service holds on its data folder, so that neither a second service nor a command that removes
 * things works next to it. Throws `Failure` `store-busy`.
 */
export async function lockService(folder: string): Promise<{ release(): Promise<void> }> {
  const own = join(folder, "service");
  await mkdir(own, { recursive: true });
  try {
    return lockFolder(own);
  } catch (error) {
    if (!isFailure(error, "store-busy")) throw error;
    throw new Failure(
      "store-busy",
      `A service is running on ${folder}. Remove the video on its page or by DELETE /api/videos/ID, or stop the service first.`,
      error.facts,
      { cause: error },
    );
  }
}
