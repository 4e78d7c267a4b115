import { type FrameTable, frameAt, keyAfter, keyBefore } from "./frame-table.ts";

/** A segment decoded by one decoder: from a key frame to the last requested frame. */
export interface DecodeRun {
  /** Seconds to seek to; null: from the start of the file. */
  seek_s: number | null;
  /** Seconds from the key frame to the end of the segment; null if the times are not reliable. */
  length_s: number | null;
  /** Indices of the requested frames in the frame table, in order. */
  frames: number[];
  /** Frames from the key frame to the last requested frame. */
  length: number;
  /** Whether the decoder may skip frames that no other frame references. */
  referencesOnly: boolean;
}

/** Frames that decode in the time that another process takes to start. */
const START_FRAMES = 24;
/** ffmpeg seeks this much earlier in files with reordered frames (`3/23 s` in its `ffmpeg_demux.c`). */
const SEEK_EARLY_S = 0.131;
/** Seconds read beyond the last requested frame, for frames that leave the decoder late. */
const MARGIN_S = 2;

/**
 * Splits the requested frames (sorted indices) into runs that decode few other frames: frames of one group of pictures
 * share a run; neighbouring groups share one if decoding through is cheaper than another start; runs are split at key
 * frames until every core has one.
 */
export function planRuns(table: FrameTable, wanted: number[], cores: number): DecodeRun[] {
  if (wanted.length === 0) return [];
  if (!table.seekable)
    return [
      {
        ...{ seek_s: null, length_s: null, frames: wanted, referencesOnly: false },
        length: (wanted.at(-1) ?? 0) + 1,
      },
    ];
  const groups: { key_s: number; first: number; frames: number[] }[] = [];
  for (const frame of wanted) {
    const key_s = keyBefore(table, table.pts_s[frame] ?? 0);
    const last = groups.at(-1);
    if (last !== undefined && last.key_s === key_s) last.frames.push(frame);
    else groups.push({ key_s, first: frameAt(table, key_s), frames: [frame] });
  }
  const runs: (typeof groups)[] = [];
  for (const group of groups) {
    const before = runs.at(-1)?.at(-1)?.frames.at(-1);
    if (before !== undefined && group.first - before <= START_FRAMES) runs.at(-1)?.push(group);
    else runs.push([group]);
  }
  while (runs.length < cores) {
    const longest = runs.reduce((a, b) => (length(b) > length(a) ? b : a), []);
    if (longest.length < 2) break;
    runs.push(longest.splice(longest.length >> 1));
  }
  return runs
    .filter((run) => run.length > 0)
    .sort((a, b) => (a[0]?.first ?? 0) - (b[0]?.first ?? 0))
    .map((run) => {
      const key_s = run[0]?.key_s ?? 0;
      const frames = run.flatMap((group) => group.frames);
      const last_s = table.pts_s[frames.at(-1) ?? 0] ?? 0;
      return {
        seek_s: seekTarget(table, key_s),
        length_s: last_s - Math.max(key_s, 0) + MARGIN_S,
        frames,
        length: length(run) + 1,
        referencesOnly: frames.every((frame) => table.reference[frame] === 1),
      };
    });
}

function length(run: { first: number; frames: number[] }[]): number {
  return (run.at(-1)?.frames.at(-1) ?? 0) - (run[0]?.first ?? 0);
}

/** A time from which ffmpeg seeks to exactly this key frame. */
export function seekTarget(table: FrameTable, key_s: number): number | null {
  if (!(key_s > 0)) return null;
  const next_s = keyAfter(table, key_s);
  return key_s + Math.min(SEEK_EARLY_S, (next_s - key_s) / 2);
}

/**
 * A filter expression that is true only for the requested frames. Times are compared within half the distance to the
 * neighbours, so that rounding in a time base does not matter; a binary tree keeps thousands of frames fast.
 */
export function selectExpression(table: FrameTable, frames: number[], origin_s: number): string {
  const between = (frame: number): string => {
    const at = table.pts_s[frame] ?? 0;
    const before = table.pts_s[frame - 1] ?? at - 1;
    const after = table.pts_s[frame + 1] ?? at + 1;
    const from = at - Math.min(0.5, (at - before) / 2) + origin_s;
    const to = at + Math.min(0.5, (after - at) / 2) + origin_s;
    return `gte(t,${from.toFixed(6)})*lt(t,${to.toFixed(6)})`;
  };
  const tree = (low: number, high: number): string => {
    if (high - low === 1) return between(frames[low] ?? 0);
    const middle = (low + high) >> 1;
    const right = frames[middle] ?? 0;
    const split = ((table.pts_s[right - 1] ?? 0) + (table.pts_s[right] ?? 0)) / 2 + origin_s;
    return `if(lt(t,${split.toFixed(6)}),${tree(low, middle)},${tree(middle, high)})`;
  };
  return tree(0, frames.length);
}
