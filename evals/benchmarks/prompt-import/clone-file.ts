import { readFile } from "node:fs/promises";
import { join } from "node:path";
import { systemCode } from "../../../src/core/errors.ts";
import type { ReleasedText } from "../protocols/released-prompt.ts";

/** The text of a file of a clone; null if the clone does not have it. */
export async function readInClone(clone: string, path: string): Promise<string | null> {
  try {
    return await readFile(join(clone, path), "utf8");
  } catch (error) {
    if (["ENOENT", "ENOTDIR"].includes(systemCode(error) ?? "")) return null;
    throw error;
  }
}

export function missingFile(path: string): ReleasedText {
  return { text: null, why: `the clone has no file ${path}` };
}
