import { rm, writeFile } from "node:fs/promises";
import { toFailure } from "../core/errors.ts";
import { temporaryPath } from "./temporary.ts";

/** Less is taken up by the first video. */
const BYTES = 2 ** 20;

/**
 * Checks that the data folder takes 1 MB, by writing it: quotas and full disks are not seen otherwise.
 * Throws `Failure` `disk-full`, `disk-unwritable`, `file-unreadable`.
 */
export async function checkSpace(folder: string): Promise<void> {
  const file = temporaryPath(folder);
  try {
    await writeFile(file, new Uint8Array(BYTES));
  } catch (error) {
    throw toFailure(error, "file-unreadable", `writing 1 MB into ${folder}`);
  } finally {
    await rm(file, { force: true });
  }
}
