import { existsSync } from "node:fs";
import { fileURLToPath } from "node:url";
import { describe } from "vitest";

const root = fileURLToPath(new URL("../../../shared/data/", import.meta.url));

/** Real data that lies beside a checkout for testing and is no part of the project. */
export const hasShared = existsSync(root);

/** Absolute path of a file of `../shared/data`. Only to be called inside `describeShared`. */
export function sharedFile(path: string): string {
  return `${root}${path}`;
}

/** Tests over `../shared/data`: skipped, and counted as such, where the folder is absent. */
export function describeShared(name: string, tests: () => void): void {
  describe.skipIf(!hasShared)(`${name} [shared]`, tests);
}
