import { Failure } from "../core/errors.ts";
import { noFrame, streamFrames, videoOf } from "./frame-stream.ts";
import { doublesOf } from "./frame-table.ts";
import type { Probe } from "./probe.ts";

/**
 * The result of one decode of a video, for all detectors: a small picture of each frame, and its time.
 * `signatures` holds `count` grey pictures of `width` x `height` bytes, row by row, 0 black to 255 white, upright, each
 * byte the mean of the pixels that it covers, for any aspect ratio of the video.
 * `chroma` holds their colour at half the width and height: for each picture a plane of Cb and one of Cr, 128 for grey.
 */
export interface Scan {
  count: number;
  pts_s: Float64Array;
  width: number;
  height: number;
  signatures: Uint8Array;
  chroma: Uint8Array;
}

/** Letters of 4 % of the height are 1.5 of 36 cells high: a grey blob that is visible on black. */
const FINE = { width: 64, height: 36 };
/** For films whose fine pictures would take too much memory: three hours take 280 MB. */
const COARSE = { width: 32, height: 18 };
const FINE_FRAMES = 150_000;

/** Frames between two calls of `watch`. */
const WATCH_FRAMES = 48;

/** Increase it whenever the same file would give another scan. */
export const SCAN_VERSION = 2;

/** The grey picture of frame `i`: a view, not a copy. */
export function signatureAt(scan: Scan, i: number): Uint8Array {
  const size = scan.width * scan.height;
  return scan.signatures.subarray(i * size, (i + 1) * size);
}

/** The planes Cb and Cr of frame `i`, one after the other: a view, not a copy. */
export function chromaAt(scan: Scan, i: number): Uint8Array {
  const size = chromaSize(scan);
  return scan.chroma.subarray(i * size, (i + 1) * size);
}

/** Bytes of both colour planes of a frame. */
export function chromaSize({ width, height }: Pick<Scan, "width" | "height">): number {
  return (width * height) / 2;
}

/** Frames `from` to `to` (exclusive) of a scan, as views. */
export function partOf(scan: Scan, from: number, to: number): Scan {
  const size = scan.width * scan.height;
  return {
    ...scan,
    count: to - from,
    pts_s: scan.pts_s.subarray(from, to),
    signatures: scan.signatures.subarray(from * size, to * size),
    chroma: scan.chroma.subarray(from * chromaSize(scan), to * chromaSize(scan)),
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
    /** Called every 48 frames with the scan so far; its arrays are valid only during the call. */
    watch?: (soFar: Scan) => void;
  } = {},
): Promise<Scan> {
  const total = videoOf(probe).frames;
  const { width, height } = (total ?? 0) > FINE_FRAMES ? COARSE : FINE;
  const size = width * height;
  const colour = chromaSize({ width, height });
  let count = 0;
  let pts_s = new Float64Array(total ?? 1024);
  let signatures = new Uint8Array(pts_s.length * size);
  let chroma = new Uint8Array(pts_s.length * colour);
  const soFar = (): Scan => ({
    count,
    width,
    height,
    pts_s: pts_s.subarray(0, count),
    signatures: signatures.subarray(0, count * size),
    chroma: chroma.subarray(0, count * colour),
  });
  const { frames, stderr } = await streamFrames(
    path,
    probe,
    [{ before: [], filter: `scale=${width}:${height}:flags=area,format=yuvj420p`, encode: "raw" }],
    (t_s, pixels) => {
      if (count === pts_s.length) {
        const room = count * 2 + 1;
        pts_s = copied(pts_s, new Float64Array(room));
        signatures = copied(signatures, new Uint8Array(room * size));
        chroma = copied(chroma, new Uint8Array(room * colour));
      }
      pts_s[count] = t_s;
      signatures.set(pixels.subarray(0, size), count * size);
      chroma.set(pixels.subarray(size), count * colour);
      count++;
      opts.progress?.(count, total);
      if (count % WATCH_FRAMES === 0) opts.watch?.(soFar());
    },
    { signal: opts.signal },
  );
  if (frames === 0) throw noFrame(probe, stderr);
  const all = soFar();
  return {
    ...all,
    pts_s: all.pts_s.slice(),
    signatures: all.signatures.slice(),
    chroma: all.chroma.slice(),
  };
}

function copied<T extends Float64Array | Uint8Array>(from: T, to: T): T {
  to.set(from);
  return to;
}

/** The scan as bytes: count, width and height as doubles, the times, the signatures, the colours. */
export function packScan(scan: Scan): Uint8Array[] {
  const head = Float64Array.of(scan.count, scan.width, scan.height);
  return [head, scan.pts_s, scan.signatures, scan.chroma].map(
    (part) => new Uint8Array(part.buffer, part.byteOffset, part.byteLength),
  );
}

/** Throws `Failure` `store-damaged` for bytes that `packScan` did not make. */
export function unpackScan(bytes: Uint8Array): Scan {
  const [count = -1, width = -1, height = -1] =
    bytes.byteLength >= 24 ? doublesOf(bytes, 0, 3) : [];
  const start = (3 + count) * 8;
  const colours = start + count * width * height;
  const end = colours + count * chromaSize({ width, height });
  if (count < 0 || bytes.byteLength !== end)
    throw new Failure(
      "store-damaged",
      `The scan is damaged: ${count} frames do not fit ${bytes.byteLength} bytes.`,
    );
  const part = (from: number, to: number) =>
    new Uint8Array(bytes.buffer, bytes.byteOffset + from, to - from);
  return {
    count,
    width,
    height,
    pts_s: doublesOf(bytes, 3, count),
    signatures: part(start, colours),
    chroma: part(colours, end),
  };
}
