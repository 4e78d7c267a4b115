import { readFile } from "node:fs/promises";
import { join } from "node:path";
import { writeAtomically } from "../../src/core/atomic-file.ts";
import { systemCode, toFailure } from "../../src/core/errors.ts";
import type { JobContext } from "../../src/core/job-context.ts";

/** Returns the bytes of a file derived from a video, or undefined if the file does not exist yet. */
export async function readDerived(
  job: JobContext,
  video: string,
  name: string,
): Promise<Uint8Array | undefined> {
  try {
    return await readFile(join(await job.store.derived(video), name));
  } catch (error) {
    if (systemCode(error) === "ENOENT") return undefined;
    throw toFailure(error, "file-unreadable", `reading ${name} of a video`);
  }
}

/** Writes a derived file atomically. */
export async function writeDerived(
  job: JobContext,
  video: string,
  name: string,
  parts: Iterable<Uint8Array>,
): Promise<void> {
  await writeAtomically(join(await job.store.derived(video), name), parts);
}
