import { randomUUID } from "node:crypto";
import { readFile, rename, rm, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { systemCode, toFailure } from "../../src/core/errors.ts";
import type { Work } from "../../src/core/job-context.ts";

/** The bytes of a file derived from a video, or undefined where it was not made yet. */
export async function readDerived(
  work: Work,
  video: string,
  name: string,
): Promise<Uint8Array | undefined> {
  try {
    return await readFile(join(await work.store.derived(video), name));
  } catch (error) {
    if (systemCode(error) === "ENOENT") return undefined;
    throw toFailure(error, "file-unreadable", `reading ${name} of a video`);
  }
}

/** Writes a derived file whole or not at all. */
export async function writeDerived(
  work: Work,
  video: string,
  name: string,
  parts: Uint8Array[],
): Promise<void> {
  const file = join(await work.store.derived(video), name);
  const part = `${file}.${randomUUID()}.part`;
  try {
    await writeFile(part, parts);
    await rename(part, file);
  } catch (error) {
    await rm(part, { force: true });
    throw toFailure(error, "file-unreadable", `writing ${name} of a video`);
  }
}
