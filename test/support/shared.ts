import { existsSync } from "node:fs";
import { fileURLToPath } from "node:url";
import { describe } from "vitest";

const root = fileURLToPath(new URL("../../../shared/data/", import.meta.url));

/** Whether `../shared/data` exists: real data for testing, which is not part of the project. */
export const hasShared = existsSync(root);

/** Absolute path of a file of `../shared/data`. Call it only inside `describeShared`. */
export function sharedFile(path: string): string {
  return `${root}${path}`;
}

/** Tests that read `../shared/data`; reported as skipped if the folder is missing. */
export function describeShared(name: string, tests: () => void): void {
  describe.skipIf(!hasShared)(`${name} [shared]`, tests);
}
