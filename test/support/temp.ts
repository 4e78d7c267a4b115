import { mkdtemp, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { atFileEnd } from "./file-end.ts";

/** Creates an empty folder; it is removed when the test file ends. */
export async function tempFolder(): Promise<string> {
  const folder = await mkdtemp(join(tmpdir(), "video-rrd-test-"));
  atFileEnd(() => rm(folder, { recursive: true, force: true }));
  return folder;
}
