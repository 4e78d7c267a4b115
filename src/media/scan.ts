import { randomUUID } from "node:crypto";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { noFrame, videoOf } from "./frame-stream.ts";
import type { FrameTable } from "./frame-table.ts";
import type { Probe } from "./probe.ts";
import {
  joinParts,
  planParts,
  type ScannedPart,
  type ScanPart,
  type ScanPictures,
  scanPart,
  WHOLE,
} from "./scan-parts.ts";
import { joinPictures, PictureFile, type Pictures, planesOf } from "./scan-pictures.ts";

/**
 * The result of one decode of a video, for all detectors: a small picture of each frame, and its time.
 * `signatures` holds `count` grey pictures of `width` x `height` bytes, row by row, 0 black to 255 white, upright, each
 * byte the mean of the pixels that it covers, for any aspect ratio of the video.
 * `chroma` holds their colour at half the width and height: for each picture a plane of Cb and one of Cr, 128 for grey.
 * The pictures of a whole film are in a file; only those in use are in memory.
 */
export interface Scan {
  count: number;
  pts_s: Float64Array;
  /** End of the last frame, seconds. Without it, the last frame lasts as long as the one before. */
  end_s?: number;
  width: number;
  height: number;
  signatures: Pictures;
  chroma: Pictures;
}

type Size = Pick<Scan, "width" | "height">;

/** Letters of 4 % of the height are 1.5 of 36 cells high: a grey blob that is visible on black. */
const FINE = { width: 64, height: 36 };
/** For films whose fine pictures would take too much of the disk: three hours take 280 MB. */
const COARSE = { width: 32, height: 18 };
const FINE_FRAMES = 150_000;

/** Frames between two calls of `watch`. */
const WATCH_FRAMES = 48;

/** Increase it whenever the same file would give another scan. */
export const SCAN_VERSION = 2;

/** The grey picture of frame `i`: a view, not a copy. */
export function signatureAt(scan: Scan, i: number): Uint8Array {
  return scan.signatures.at(i);
}

/** The planes Cb and Cr of frame `i`, one after the other: a view, not a copy. */
export function chromaAt(scan: Scan, i: number): Uint8Array {
  return scan.chroma.at(i);
}

/** Bytes of both colour planes of a frame. */
export function chromaSize({ width, height }: Pick<Scan, "width" | "height">): number {
  return (width * height) / 2;
}

/** Frames `from` to `to` (exclusive) of a scan, as views. */
export function partOf(scan: Scan, from: number, to: number): Scan {
  const part = (pictures: Pictures): Pictures => ({
    at: (i) => (i < 0 || i >= to - from ? new Uint8Array() : pictures.at(from + i)),
  });
  return {
    ...scan,
    count: to - from,
    pts_s: scan.pts_s.subarray(from, to),
    end_s: to < scan.count ? undefined : scan.end_s,
    signatures: part(scan.signatures),
    chroma: part(scan.chroma),
  };
}

/** The time of a frame; for the index after the last, the end of the last frame. */
export function timeOf(scan: Scan, frame: number): number {
  if (frame < scan.count) return scan.pts_s[frame] ?? 0;
  return scan.end_s ?? evenEnd(scan);
}

/**
 * As `timeOf`, but the last frame lasts at least as long as the one before: players keep showing it, and many files give
 * the last of some slides the length of a video frame.
 */
export function shownUntil(scan: Scan, frame: number): number {
  return frame < scan.count ? timeOf(scan, frame) : Math.max(timeOf(scan, frame), evenEnd(scan));
}

function evenEnd({ count, pts_s }: Scan): number {
  const last = pts_s[count - 1] ?? 0;
  return last + Math.max(0, last - (pts_s[count - 2] ?? last));
}

/**
 * Gets the span of a part of the film, in seconds; returns what receives its scan so far, every 48 frames, which is valid
 * only during the call. The parts of a film that were decoded in vain come a second time, as one.
 */
export type ScanWatch = (part: { from_s: number; until_s: number }) => (soFar: Scan) => void;

export interface ScanOptions {
  signal?: AbortSignal;
  progress?: (done: number, total: number | null) => void;
  /** Called for each part of the film that is decoded by itself; of a film that is not divided, for the whole. */
  watch?: ScanWatch;
  /** Where the pictures are kept, in files without a name. Default: the folder of temporary files. */
  folder?: string;
  /** With it, the parts of a long film are decoded in parallel. */
  table?: FrameTable;
  pictures?: ScanPictures<Scan>;
}

/**
 * Decodes the chosen video stream once.
 * Throws `Failure`: `no-video`, `damaged` (no frame could be decoded), `media-limit`, `cancelled`, `disk-full`.
 */
export async function scan(path: string, probe: Probe, opts: ScanOptions = {}): Promise<Scan> {
  const { table, watch, progress = () => undefined } = opts;
  const total = videoOf(probe).frames;
  let most = 0;
  // A film whose parts do not fit begins again.
  const report = (frames: number) => {
    most = Math.max(most, frames);
    progress(most, total);
  };
  const size = (total ?? 0) > FINE_FRAMES ? COARSE : FINE;
  const { pictures } = opts;
  const wanted: ScanPictures<ScannedPart> | undefined = pictures && {
    ...pictures,
    onPicture: (frame, soFar) => pictures.onPicture(frame, scanOf([soFar], size)),
  };
  const decode = (
    part: ScanPart,
    signal: AbortSignal | undefined,
    onFrames: (soFar: ScannedPart) => void,
  ) => {
    const file = PictureFile.nameless(join(opts.folder ?? tmpdir(), `${randomUUID()}.scan.tmp`));
    const onPart = watch?.(spanOf(part, probe, table));
    let watched = 0;
    return scanPart(path, probe, part, { file, ...size, signal, wanted }, (soFar) => {
      onFrames(soFar);
      while (onPart !== undefined && watched + WATCH_FRAMES <= soFar.count) {
        watched += WATCH_FRAMES;
        onPart(scanOf([{ ...soFar, count: watched }], size));
      }
    });
  };
  const parts = planParts(table, probe.origin_s);
  if (table !== undefined && parts.length > 1) {
    const done = parts.map(() => 0);
    const failed = new AbortController();
    const signal = AbortSignal.any([failed.signal, ...(opts.signal ? [opts.signal] : [])]);
    const decoding = parts.map((part, index) =>
      decode(part, signal, ({ count }) => {
        done[index] = count;
        report(Math.min(table.pts_s.length, sumOf(done)));
      }),
    );
    const scanned = await Promise.all(decoding).finally(() => failed.abort());
    const joined = joinParts(scanned, table);
    if (joined !== undefined) return scanOf(joined, size);
  }
  const whole = await decode(WHOLE, opts.signal, ({ count }) => report(count));
  if (whole.count === 0) throw noFrame(probe, whole.stderr);
  return scanOf([whole], size);
}

function spanOf({ start, end }: ScanPart, probe: Probe, table: FrameTable | undefined) {
  const end_s = table?.end_s ?? probe.duration_s;
  return { from_s: table?.pts_s[start] ?? 0, until_s: table?.pts_s[end] ?? end_s };
}

function scanOf(parts: readonly ScannedPart[], { width, height }: Size): Scan {
  const times = parts.map((part) => part.pts_s.subarray(0, part.count));
  const [only = new Float64Array()] = times;
  const pts_s = times.length === 1 ? only : Float64Array.from(times.flatMap((part) => [...part]));
  const count = pts_s.length;
  const pictures = joinPictures(parts);
  const size = width * height;
  return {
    ...{ count, pts_s, width, height },
    signatures: planesOf(pictures, 0, size),
    chroma: planesOf(pictures, size, chromaSize({ width, height })),
  };
}

const sumOf = (numbers: readonly number[]) => numbers.reduce((sum, one) => sum + one, 0);
