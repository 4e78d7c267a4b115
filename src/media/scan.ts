import { randomUUID } from "node:crypto";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { noFrame, streamFrames, videoOf } from "./frame-stream.ts";
import type { Probe } from "./probe.ts";
import { PictureSpool, type Pictures } from "./scan-pictures.ts";

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
  width: number;
  height: number;
  signatures: Pictures;
  chroma: Pictures;
}

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
    signatures: part(scan.signatures),
    chroma: part(scan.chroma),
  };
}

/** The time of a frame; for the index after the last, the end of the last frame. */
export function timeOf(scan: Scan, frame: number): number {
  if (frame < scan.count) return scan.pts_s[frame] ?? 0;
  const last = scan.pts_s[scan.count - 1] ?? 0;
  const before = scan.pts_s[scan.count - 2];
  return before === undefined ? last : last + Math.max(0, last - before);
}

/**
 * Decodes the chosen video stream once.
 * Throws `Failure`: `no-video`, `damaged` (no frame could be decoded), `media-limit`, `cancelled`.
 */
export async function scan(
  path: string,
  probe: Probe,
  opts: {
    signal?: AbortSignal;
    progress?: (done: number, total: number | null) => void;
    /** Called every 48 frames with the scan so far, which is valid only during the call. */
    watch?: (soFar: Scan) => void;
    /** Where the pictures are kept, in files without a name. Default: the folder of temporary files. */
    folder?: string;
  } = {},
): Promise<Scan> {
  const total = videoOf(probe).frames;
  const { width, height } = (total ?? 0) > FINE_FRAMES ? COARSE : FINE;
  const size = width * height;
  let count = 0;
  let pts_s = new Float64Array(total ?? 1024);
  const spool = (bytes: number) =>
    new PictureSpool(join(opts.folder ?? tmpdir(), `${randomUUID()}.scan.tmp`), bytes);
  const signatures = spool(size);
  const chroma = spool(chromaSize({ width, height }));
  const soFar = (): Scan => {
    return { count, width, height, pts_s: pts_s.subarray(0, count), signatures, chroma };
  };
  const { frames, stderr } = await streamFrames(
    path,
    probe,
    [{ before: [], filter: `scale=${width}:${height}:flags=area,format=yuvj420p`, encode: "raw" }],
    (t_s, pixels) => {
      if (count === pts_s.length) {
        const larger = new Float64Array(count * 2 + 1);
        larger.set(pts_s);
        pts_s = larger;
      }
      pts_s[count] = t_s;
      signatures.push(pixels.subarray(0, size));
      chroma.push(pixels.subarray(size));
      count++;
      opts.progress?.(count, total);
      if (count % WATCH_FRAMES === 0) opts.watch?.(soFar());
    },
    { signal: opts.signal },
  );
  if (frames === 0) throw noFrame(probe, stderr);
  return { ...soFar(), pts_s: pts_s.slice(0, count) };
}
