import { systemCode, toFailure } from "../../src/core/errors.ts";
import { hashOf } from "../../src/core/hash.ts";
import type { JobContext } from "../../src/core/job-context.ts";
import type { FrameTable } from "../../src/media/frame-table.ts";
import { SCAN_VERSION, type Scan, type ScanWatch, scan } from "../../src/media/scan.ts";
import { openScan, packScan } from "../../src/media/scan-file.ts";
import type { ScanPictures } from "../../src/media/scan-parts.ts";
import { derivedPath, writeDerived } from "./derived-files.ts";
import { throttleProgress } from "./throttle-progress.ts";
import { frameTable, type Video } from "./video.ts";

const FILE = `scan-${SCAN_VERSION}.bin`;

/** What receives parts of a video while a call decodes it; nothing if the scan exists or another call makes it. */
export interface ScanReaders {
  /** Receives the parts of the scan so far. */
  watch?: ScanWatch;
  pictures?: ScanPictures<Scan>;
}

/**
 * Returns the scan of a video: decoded once, then read from disk.
 * Throws `Failure`: `no-video`, `damaged`, `media-limit`, `cancelled`, `disk-full`.
 */
export async function scanVideo(
  video: Video,
  job: JobContext,
  readers: ScanReaders = {},
): Promise<Scan> {
  const table = await frameTable(video, job);
  const scan = await keptScan(video, table, job, readers);
  const [end_s] = unevenEnd(table);
  // If the end of the film cannot be decoded, its time says nothing about the last frame that can.
  const isWhole = Math.abs((table.pts_s.at(-1) ?? 0) - (scan.pts_s.at(-1) ?? 0)) < ROUNDING_S;
  return end_s !== undefined && isWhole ? { ...scan, end_s } : scan;
}

/** Containers round times to a millisecond at worst. */
const ROUNDING_S = 0.0015;

/**
 * The end of a film whose last frame does not last as long as the one before, for keys of what is found in its scan;
 * nothing for other films.
 */
export function unevenEnd({ pts_s, end_s }: Pick<FrameTable, "pts_s" | "end_s">): [] | [number] {
  const last = pts_s.at(-1) ?? 0;
  const before = pts_s.at(-2) ?? last;
  return Math.abs(end_s - last - (last - before)) < ROUNDING_S ? [] : [end_s];
}

async function keptScan(
  video: Video,
  table: FrameTable,
  job: JobContext,
  readers: ScanReaders,
): Promise<Scan> {
  const folder = await job.store.derived(video.hash);
  const make = async (signal: AbortSignal | undefined) => {
    const progress = throttleProgress(job.progress, "frames");
    const options = { ...readers, signal, progress, folder, table };
    const scanned = await scan(video.path, video.probe, options).catch((error: unknown) => {
      throw toFailure(error, "file-unreadable", "scanning a video");
    });
    return readScan(await writeDerived(job.store, video.hash, FILE, packScan(scanned))) ?? scanned;
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
  return readScan(await derivedPath(job.store, video.hash, FILE)) ?? make(job.signal);
}

/** The scan in a file; undefined if the file does not exist yet. */
function readScan(path: string | undefined): Scan | undefined {
  if (path === undefined) return undefined;
  try {
    return openScan(path);
  } catch (error) {
    if (systemCode(error) === "ENOENT") return undefined;
    throw toFailure(error, "file-unreadable", "reading the scan of a video");
  }
}
