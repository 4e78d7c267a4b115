import { copyFile, mkdtemp, readFile, rename, rm, writeFile } from "node:fs/promises";
import { extname, join } from "node:path";
import { sha256 } from "../../src/core/hash.ts";

/**
 * Makes a film that many tests need once per run of the tests, and copies it to `file`. `what` says what is in it: the
 * same text means the same film. Returns what `make` returned, which must be JSON.
 */
export async function madeOnce<T>(
  what: string,
  file: string,
  make: (file: string) => Promise<T>,
): Promise<T> {
  const folder = process.env.TEST_FILMS;
  // Benchmarks run without vitest.
  if (folder === undefined) return make(file);
  const kept = join(folder, `${sha256(what).slice(0, 32)}${extname(file)}`);
  const facts = `${kept}.json`;
  const told = await readFile(facts, "utf8").catch(() => undefined);
  if (told !== undefined) {
    await copyFile(kept, file);
    return JSON.parse(told);
  }
  const value = await make(file);
  const part = await mkdtemp(join(folder, "part-"));
  await copyFile(file, join(part, "film"));
  await writeFile(join(part, "facts"), JSON.stringify(value ?? null));
  await rename(join(part, "film"), kept);
  // Last, since a film with facts is complete.
  await rename(join(part, "facts"), facts);
  await rm(part, { recursive: true });
  return value;
}
