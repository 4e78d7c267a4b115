import { mkdtemp, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";

/** Makes the folder of `madeOnce` for all workers, and removes it after the tests; one that is given stays. */
export default async function makeFilmsFolder(): Promise<(() => Promise<void>) | undefined> {
  if (process.env.TEST_FILMS !== undefined) return undefined;
  const folder = await mkdtemp(join(tmpdir(), "video-rrd-films-"));
  process.env.TEST_FILMS = folder;
  return () => rm(folder, { recursive: true, force: true });
}
