import { frameAt } from "../../../src/media/frame-table.ts";
import { chromaAt, type Scan, signatureAt } from "../../../src/media/scan.ts";
import type { Shot } from "../shots.ts";
import { findPulses } from "./pixel-pulses.ts";
import { findTransients } from "./transients.ts";

/*
 * Chooses the frames that are most informative when few can be shown. Three criteria share the frames:
 *
 *   transients  what is visible only briefly: shots much shorter than the others, and what appears and disappears
 *               within a shot (see `transients.ts` and `pixel-pulses.ts`)
 *   variety     of the other shots, those that differ most from all chosen so far
 *   coverage    the rest, evenly in the widest gaps, so that no long stretch is missed
 */

/** Cumulative shares of the frames: short shots; these and transients; all except coverage. */
const SHORT_SHOTS = 1 / 3;
const TRANSIENTS = 3 / 4;
const CHOSEN = 15 / 16;
/** Shots without a shown frame that are added for each transient. */
const KINDS_A_TURN = 2;

/** Seconds between the pictures in which pulses are searched, and the most pictures compared. */
const STEP_S = 0.4;
const MOST_COMPARED = 2400;

/** Levels by which pictures must differ to count as different. */
const LEAST_DIFFERENCE = 6;
/** Transients closer than this to a chosen frame show the same, in seconds. */
const APART_S = 2.5;
/** A shot is short below this length in seconds and below this share of the video's median shot. */
const SHORT_S = 5;
const SHORT_SHARE = 0.5;

/** A range of a video, in seconds. */
interface TimeRange {
  from_s: number;
  to_s: number;
}

export interface RepresentativeTimes {
  /** Returns the times of at most `count` frames, sorted, without duplicates. */
  first(count: number): number[];
  /** Returns further times: shots without a shown frame, alternating with transients. */
  next(shown_s: readonly number[], count: number): number[];
}

/**
 * Finds the representative times of a range, for any count; transients are searched once. `shots` are those of the
 * scan.
 */
export function representativeTimes(
  scan: Scan,
  shots: readonly Shot[],
  part: TimeRange,
): RepresentativeTimes {
  const brief = briefFrames(scan, shots, part);
  const timesOf = (frames: readonly number[]) =>
    [...new Set(frames)].sort((a, b) => a - b).map((frame) => scan.pts_s[frame] ?? 0);
  const withGaps = (chosen: readonly number[], shown_s: readonly number[], count: number) => {
    const times = [...shown_s, ...chosen.map((frame) => scan.pts_s[frame] ?? 0)];
    const more = fillGaps(times, count - chosen.length, part).map((t_s) => frameAt(scan, t_s));
    return timesOf([...chosen, ...more]);
  };
  return {
    first(count) {
      const chosen = shortShots(scan, shots, Math.ceil(count * SHORT_SHOTS), part);
      chosen.push(
        ...apartFrom(chosen, brief, Math.round(count * TRANSIENTS) - chosen.length, scan),
      );
      chosen.push(
        ...kindsOf(scan, shots, chosen, Math.floor(count * CHOSEN) - chosen.length, part),
      );
      return withGaps(chosen, [], count);
    },
    next(shown_s, count) {
      const shown = shown_s.map((t_s) => frameAt(scan, t_s));
      const isSeen = ({ start_s, end_s }: Shot) =>
        shown_s.some((t_s) => t_s >= start_s && t_s < end_s);
      const unseen = shots.filter((shot) => !isSeen(shot));
      const kinds = kindsOf(scan, unseen, shown, count, part, 0);
      const sudden = apartFrom(shown, brief, count, scan);
      const chosen: number[] = [];
      for (let turn = 0; chosen.length < count && turn < count; turn++) {
        chosen.push(...kinds.splice(0, Math.min(KINDS_A_TURN, count - chosen.length)));
        const next = apartFrom(chosen, sudden, 1, scan)[0];
        if (next !== undefined && chosen.length < count) {
          sudden.splice(0, sudden.indexOf(next) + 1);
          chosen.push(next);
        }
      }
      return withGaps(
        chosen,
        shown_s.filter((t_s) => t_s >= part.from_s && t_s <= part.to_s),
        count,
      );
    },
  };
}

/** Key frames of shots much shorter than the others. Shots that differ most from their neighbours come first. */
function shortShots(scan: Scan, shots: readonly Shot[], most: number, part: TimeRange): number[] {
  const lengths = shots.map((shot) => shot.end_s - shot.start_s).sort((a, b) => a - b);
  const typical = lengths[lengths.length >> 1] ?? 0;
  const keyOf = (shot: Shot) => frameAt(scan, shot.key_s);
  const unlike = (shot: Shot) => {
    const beside = [shots[shot.index - 1], shots[shot.index + 1]].filter(
      (other) => other !== undefined,
    );
    return Math.min(...beside.map((other) => difference(scan, keyOf(shot), keyOf(other))));
  };
  return shots
    .filter(
      ({ start_s, end_s, key_s }) =>
        end_s - start_s <= Math.min(SHORT_S, typical * SHORT_SHARE) &&
        key_s >= part.from_s &&
        key_s < part.to_s,
    )
    .map((shot) => ({ frame: keyOf(shot), unlike: unlike(shot) }))
    .sort((a, b) => b.unlike - a.unlike || a.frame - b.frame)
    .slice(0, most)
    .map(({ frame }) => frame);
}

/**
 * The strongest transients and the strongest pulses of a range, alternating. Transients find what fades, passes or
 * stays longer; pulses find a faint sign next to constant motion.
 */
function briefFrames(scan: Scan, shots: readonly Shot[], { from_s, to_s }: TimeRange): number[] {
  const long = findTransients(scan, shots).map(({ frame }) => frame);
  const sudden = pulseFrames(scan, { from_s, to_s });
  const byTurns = Array.from({ length: Math.max(long.length, sudden.length) }, (_, rank) =>
    [long[rank], sudden[rank]].filter((frame) => frame !== undefined),
  );
  return byTurns.flat().filter((frame) => {
    const t_s = scan.pts_s[frame] ?? 0;
    return t_s >= from_s && t_s < to_s;
  });
}

/** The first `most` of `ranked` that are not near a chosen frame or each other. */
function apartFrom(
  chosen: readonly number[],
  ranked: readonly number[],
  most: number,
  { pts_s }: Scan,
): number[] {
  const found: number[] = [];
  for (const frame of ranked) {
    if (found.length >= most) break;
    const isNear = (other: number) => Math.abs((pts_s[other] ?? 0) - (pts_s[frame] ?? 0)) < APART_S;
    if (!chosen.some(isNear) && !found.some(isNear)) found.push(frame);
  }
  return found;
}

/** The middle frames of pulses, the strongest first. */
function pulseFrames(scan: Scan, { from_s, to_s }: TimeRange): number[] {
  const step = Math.max(STEP_S, (to_s - from_s) / MOST_COMPARED);
  const count = Math.max(1, Math.round((to_s - from_s) / step));
  const times = Array.from(
    { length: count },
    (_, i) => from_s + ((to_s - from_s) * (i + 0.5)) / count,
  );
  const frames = [...new Set(times.map((t_s) => frameAt(scan, t_s)))];
  return findPulses(scan, frames)
    .sort((a, b) => b.strength - a.strength || a.first - b.first)
    .map(({ first, last }) => frames[(first + last) >> 1] ?? 0);
}

/**
 * Key frames of shots, each the one that differs most from all chosen before (Gonzalez 1985), until the rest
 * resembles a chosen one.
 */
function kindsOf(
  scan: Scan,
  shots: readonly Shot[],
  chosen: readonly number[],
  most: number,
  { from_s, to_s }: TimeRange,
  least = LEAST_DIFFERENCE,
): number[] {
  const kinds: number[] = [];
  const keys = shots
    .filter(({ key_s }) => key_s >= from_s && key_s < to_s)
    .map(({ key_s }) => frameAt(scan, key_s));
  const nearest = keys.map(() => Number.POSITIVE_INFINITY);
  const compareWith = (picture: number) => {
    for (const [i, key] of keys.entries())
      nearest[i] = Math.min(nearest[i] ?? 0, difference(scan, key, picture));
  };
  for (const picture of chosen) compareWith(picture);
  while (kinds.length < most) {
    let best = 0;
    for (let i = 1; i < keys.length; i++) if ((nearest[i] ?? 0) > (nearest[best] ?? 0)) best = i;
    if ((nearest[best] ?? 0) <= least) break;
    const picture = keys[best] ?? 0;
    kinds.push(picture);
    compareWith(picture);
  }
  return kinds;
}

/**
 * Root mean square of the differences of two frames in levels, per grey cell: a local change counts more than a change
 * of light. A colour cell covers four grey cells.
 */
function difference(scan: Scan, a: number, b: number): number {
  const grey = squares(signatureAt(scan, a), signatureAt(scan, b));
  const colour = squares(chromaAt(scan, a), chromaAt(scan, b));
  return Math.sqrt((grey + 4 * colour) / Math.max(1, scan.width * scan.height));
}

function squares(a: Uint8Array, b: Uint8Array): number {
  let sum = 0;
  for (let cell = 0; cell < a.length; cell++) {
    const by = (a[cell] ?? 0) - (b[cell] ?? 0);
    sum += by * by;
  }
  return sum;
}

/**
 * Returns `count` further times that make the widest gap, including the ends of the range, as narrow as possible:
 * each time goes into the gap whose pieces are widest, and the pieces of a gap are equal.
 */
export function fillGaps(
  times_s: readonly number[],
  count: number,
  { from_s, to_s }: TimeRange,
): number[] {
  const marks = [from_s, ...[...times_s].sort((a, b) => a - b), to_s];
  const gaps = marks.slice(1).map((to, i) => ({ from: marks[i] ?? 0, to, points: 0 }));
  const width = (gap: (typeof gaps)[number]) => (gap.to - gap.from) / (gap.points + 1);
  for (let i = 0; i < count; i++) {
    const widest = gaps.reduce((best, gap) => (width(gap) > width(best) ? gap : best));
    widest.points++;
  }
  return gaps.flatMap((gap) =>
    Array.from({ length: gap.points }, (_, i) => gap.from + width(gap) * (i + 1)),
  );
}
