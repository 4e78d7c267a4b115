import { readFileSync } from "node:fs";
import { dirname, join } from "node:path";

let known: string | undefined;

/** Version of this package, from the nearest package.json above this file. Throws if no folder has one. */
export function version(): string {
  known ??= readVersion();
  return known;
}

function readVersion(): string {
  for (let folder = import.meta.dirname; ; folder = dirname(folder)) {
    try {
      // Checked by hand: loading zod would take half of the time of `--version`.
      const read: unknown = JSON.parse(readFileSync(join(folder, "package.json"), "utf8"));
      const { version } = Object(read) as { version?: unknown };
      if (typeof version === "string") return version;
      throw new Error(`${join(folder, "package.json")} has no version.`);
    } catch (error) {
      if (dirname(folder) === folder) throw error;
    }
  }
}
