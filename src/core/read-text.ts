import { readFile } from "node:fs/promises";
import { systemCode, toFailure } from "./errors.ts";

/** The text of a file in UTF-8; null if there is none. Throws `Failure` `file-unreadable`. */
export async function readTextIfPresent(path: string): Promise<string | null> {
  try {
    return await readFile(path, "utf8");
  } catch (error) {
    if (systemCode(error) === "ENOENT") return null;
    throw toFailure(error, "file-unreadable", `reading ${path}`);
  }
}
