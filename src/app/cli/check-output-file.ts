import { open, rm, stat } from "node:fs/promises";
import { dirname } from "node:path";
import { systemCode, toFailure } from "../../core/errors.ts";
import { makeFolder } from "../../storage/make-folder.ts";

/**
 * Checks that a file can be written, before the work whose result it gets. Makes its folder, and leaves no file behind.
 * Throws `Failure` `disk-full`, `disk-unwritable`, `file-unreadable`.
 */
export async function checkOutputFile(file: string): Promise<void> {
  try {
    await makeFolder(dirname(file));
    const known = await stat(file).catch((error: unknown) => {
      if (systemCode(error) === "ENOENT") return null;
      throw error;
    });
    // Opening a pipe would wait for its reader, or end it.
    if (known !== null && !known.isFile() && !known.isDirectory()) return;
    await (await open(file, "a")).close();
    if (known === null) await rm(file, { force: true });
  } catch (error) {
    throw toFailure(error, "file-unreadable", `writing ${file}`);
  }
}
