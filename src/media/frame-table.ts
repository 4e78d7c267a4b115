import { Failure } from "../core/errors.ts";

/** The time of each frame of a video, and where decoding can begin. Made without decoding. */
export interface FrameTable {
  /** Start of each frame in presentation order, seconds from the start of the container. */
  pts_s: Float64Array;
  /** End of the last frame, seconds. */
  end_s: number;
  /** Times of the key frames in order, including those before an edit list's first frame. */
  keys_s: Float64Array;
  /**
   * 1 if the order of the packets suggests that other frames reference this one: it begins later than all before it, or
   * is stored before a frame that is shown earlier. A hint, to be verified by decoding.
   */
  reference: Uint8Array;
  /** Whether every time comes from the container, and the container finds key frames by time. */
  seekable: boolean;
}

/** Times closer than this are equal: containers round to a millisecond at worst. */
const SAME_S = 0.0006;

/** Index of the frame on screen at a time: the last that has begun, or the first frame. */
export function frameAt(table: Pick<FrameTable, "pts_s">, t_s: number): number {
  return Math.max(0, lastBegun(table.pts_s, t_s));
}

/** Index of the frame with this time, or -1. */
export function frameOf(table: Pick<FrameTable, "pts_s">, t_s: number): number {
  const i = lastBegun(table.pts_s, t_s);
  return i >= 0 && Math.abs((table.pts_s[i] ?? 0) - t_s) <= SAME_S ? i : -1;
}

/** Time of the key frame at which decoding of a frame begins, or -Infinity if none precedes it. */
export function keyBefore(table: FrameTable, t_s: number): number {
  return table.keys_s[lastBegun(table.keys_s, t_s)] ?? -Infinity;
}

/** Time of the first key frame after this time, or Infinity. */
export function keyAfter(table: FrameTable, t_s: number): number {
  return table.keys_s[lastAtOrBefore(table.keys_s, t_s) + 1] ?? Infinity;
}

/** Index of the last of the sorted `times` that is at most `t`, or equal to it; of frames that are closer, the nearest. */
function lastBegun(times: Float64Array, t: number): number {
  const at = (i: number) => times[i] ?? 0;
  let i = lastAtOrBefore(times, t + SAME_S);
  while (i > 0 && at(i) - t > t - at(i - 1)) i--;
  return i;
}

/** Index of the last of the sorted `times` that is at most `t`, or -1. */
function lastAtOrBefore(times: Float64Array, t: number): number {
  let low = 0;
  let high = times.length;
  while (low < high) {
    const middle = (low + high) >> 1;
    if ((times[middle] ?? 0) <= t) low = middle + 1;
    else high = middle;
  }
  return low - 1;
}

/** The table as bytes: doubles (frames, keys, end, seekable, the times), then the hints. */
export function packFrameTable(table: FrameTable): Uint8Array[] {
  const { pts_s, keys_s, end_s, seekable, reference } = table;
  const head = Float64Array.of(pts_s.length, keys_s.length, end_s, seekable ? 1 : 0);
  return [head, pts_s, keys_s, reference].map(
    (part) => new Uint8Array(part.buffer, part.byteOffset, part.byteLength),
  );
}

/** Throws `Failure` `store-damaged` for bytes that `packFrameTable` did not make. */
export function unpackFrameTable(file: Uint8Array): FrameTable {
  // Slicing a Buffer, the type of file contents, does not copy; slicing a Uint8Array does.
  const bytes = new Uint8Array(file);
  const doubles = (from: number, count: number) => doublesOf(bytes, from, count);
  const [frames = -1, keys = -1, end_s = 0, seekable = 0] =
    bytes.byteLength >= 32 ? doubles(0, 4) : [];
  const hints = (4 + frames + keys) * 8;
  if (frames < 0 || bytes.byteLength !== hints + frames)
    throw new Failure(
      "store-damaged",
      `The frame table is damaged: ${frames} frames do not fit ${bytes.byteLength} bytes.`,
    );
  return {
    pts_s: doubles(4, frames),
    keys_s: doubles(4 + frames, keys),
    end_s,
    reference: Uint8Array.from(bytes.subarray(hints)),
    seekable: seekable === 1,
  };
}

/** Doubles number `from` to `from + count` of packed bytes, copied for alignment. */
export function doublesOf(bytes: Uint8Array, from: number, count: number): Float64Array {
  const doubles = new Float64Array(count);
  new Uint8Array(doubles.buffer).set(bytes.subarray(from * 8, (from + count) * 8));
  return doubles;
}
