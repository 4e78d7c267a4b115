import { accessSync, constants } from "node:fs";
import { Failure, systemCode } from "../../core/errors.ts";

/**
 * Refuses an existing file or folder that this user may not write: SQLite would report a read-only database, as for a
 * read-only disk. Throws `Failure` `file-unreadable`.
 */
export function checkPermission(path: string): void {
  try {
    accessSync(path, constants.W_OK);
  } catch (error) {
    const code = systemCode(error);
    // Anything else is reported by the operation itself.
    if (code !== "EACCES" && code !== "EPERM") return;
    throw new Failure(
      "file-unreadable",
      `No permission to write ${path} (${code}). Run the command as the user who owns it, or choose another folder with --data-dir.`,
      { path, code },
      { cause: error },
    );
  }
}
