import { milliseconds } from "./audible-ranges.ts";
import { LEVEL_S } from "./sound-levels.ts";
import type { SoundRange } from "./transcriber.ts";

/** A part of a track that is sent in one request: its ranges, joined. */
export type SoundPart = SoundRange[];

/** A range is cut at its quietest moment after this share of the length that a part may have. */
const EARLIEST_CUT = 0.5;

/** Length of the quiet moment that is looked for, in levels. */
const QUIET_LEVELS = 6;

/** Limits of a part in seconds: its sound, and each silence that it leaves out. */
export interface PartLimits {
  most_s: number;
  gap_s: number;
}

/**
 * Distributes ranges over parts. Parts end in silence; a range that is too long for a part is cut at its quietest
 * moment. The same ranges and levels always make the same parts.
 */
export function cutParts(
  ranges: readonly SoundRange[],
  levels: Int8Array,
  { most_s, gap_s }: PartLimits,
): SoundPart[] {
  const parts: SoundPart[] = [];
  let part: SoundPart = [];
  for (const range of ranges.flatMap((range) => cutRange(range, levels, most_s))) {
    const last = part.at(-1);
    const isFull = secondsOf(part) + lengthOf(range) > most_s;
    if (last !== undefined && (isFull || range.from_s - last.to_s > gap_s)) {
      parts.push(part);
      part = [];
    }
    part.push(range);
  }
  return part.length > 0 ? [...parts, part] : parts;
}

/** Seconds of sound in the ranges. */
export function secondsOf(ranges: readonly SoundRange[]): number {
  return milliseconds(ranges.reduce((sum, range) => sum + lengthOf(range), 0));
}

/** What is left of the ranges after a time. */
export function rangesAfter(ranges: readonly SoundRange[], t_s: number): SoundRange[] {
  return ranges
    .filter(({ to_s }) => to_s > t_s)
    .map(({ from_s, to_s }) => ({ from_s: Math.max(from_s, t_s), to_s }));
}

function lengthOf({ from_s, to_s }: SoundRange): number {
  return to_s - from_s;
}

function cutRange(range: SoundRange, levels: Int8Array, most_s: number): SoundRange[] {
  const pieces: SoundRange[] = [];
  let { from_s } = range;
  while (range.to_s - from_s > most_s) {
    const cut_s = quietest(levels, from_s + EARLIEST_CUT * most_s, from_s + most_s);
    pieces.push({ from_s, to_s: cut_s });
    from_s = cut_s;
  }
  return [...pieces, { from_s, to_s: range.to_s }];
}

/** The middle of the quietest moment between two times. */
function quietest(levels: Int8Array, from_s: number, to_s: number): number {
  const half = QUIET_LEVELS / 2;
  const first = Math.ceil(from_s / LEVEL_S) + half;
  const last = Math.floor(to_s / LEVEL_S) - half;
  let best = { at: last, loudness: Number.POSITIVE_INFINITY };
  for (let at = first; at <= last; at++) {
    let loudness = 0;
    for (const level of levels.subarray(at - half, at + half)) loudness += level;
    if (loudness < best.loudness) best = { at, loudness };
  }
  return milliseconds(best.at * LEVEL_S);
}
