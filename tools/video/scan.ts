import { hashOf } from "../../src/core/hash.ts";
import type { JobContext } from "../../src/core/job-context.ts";
import { packScan, SCAN_VERSION, type Scan, scan, unpackScan } from "../../src/media/scan.ts";
import { readDerived, writeDerived } from "./derived-files.ts";
import { throttleProgress } from "./throttle-progress.ts";
import type { Video } from "./video.ts";

const FILE = `scan-${SCAN_VERSION}.bin`;

/**
 * Returns the scan of a video: decoded once, then read from disk. `watch` receives the partial scan while this call
 * decodes it.
 * Throws `Failure`: `no-video`, `damaged`, `media-limit`, `cancelled`, `disk-full`.
 */
export async function scanVideo(
  video: Video,
  job: JobContext,
  watch?: (soFar: Scan) => void,
): Promise<Scan> {
  const make = async (signal: AbortSignal | undefined) => {
    const progress = throttleProgress(job.progress, "frames");
    const scanned = await scan(video.path, video.probe, { signal, progress, watch });
    await writeDerived(job, video.hash, FILE, packScan(scanned));
    return scanned;
  };
  let made: Scan | undefined;
  await job.store.memo.once(
    {
      key: hashOf(["scan", SCAN_VERSION, video.hash]),
      tags: [video.hash],
      run: job.run,
      signal: job.signal,
    },
    async (signal) => {
      made = await make(signal);
      return made.count;
    },
  );
  if (made !== undefined) return made;
  const kept = await readDerived(job, video.hash, FILE);
  return kept === undefined ? make(job.signal) : unpackScan(kept);
}
