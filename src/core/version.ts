import { readFileSync } from "node:fs";
import { dirname, join } from "node:path";
import { z } from "zod";

/** Version of this package, from the nearest package.json above this file. */
export function version(): string {
  for (let folder = import.meta.dirname; ; folder = dirname(folder)) {
    try {
      const text = readFileSync(join(folder, "package.json"), "utf8");
      return z.looseObject({ version: z.string() }).parse(JSON.parse(text)).version;
    } catch (error) {
      if (dirname(folder) === folder) throw error;
    }
  }
}
