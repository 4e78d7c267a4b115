import { realpath } from "node:fs/promises";
import { isAbsolute, relative, sep } from "node:path";
import { systemCode } from "./errors.ts";

/** Whether a path is a folder or lies below it. Both are absolute; links are not followed. */
export function isBelow(path: string, folder: string): boolean {
  const way = relative(folder, path);
  return way === "" || (way !== ".." && !way.startsWith(`..${sep}`) && !isAbsolute(way));
}

/** The path without links, or null if there is no such file. */
export async function pathWithoutLinks(path: string): Promise<string | null> {
  try {
    return await realpath(path);
  } catch (error) {
    if (
      ["ENOENT", "ENOTDIR", "ELOOP", "EACCES", "EPERM", "ENAMETOOLONG"].includes(
        systemCode(error) ?? "",
      )
    )
      return null;
    throw error;
  }
}
