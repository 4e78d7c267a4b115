import { frameAt } from "../../../src/media/frame-table.ts";
import { type Scan, signatureAt } from "../../../src/media/scan.ts";
import type { Shot } from "../shots.ts";
import { departures } from "./departures.ts";
import { pulses } from "./pulses.ts";

/*
 * Which frames say most about a video when few can be shown. Three wishes share the frames:
 *
 *   departures  what is there for a moment only: shots much shorter than the others, and what comes and goes within a
 *               shot (see `departures.ts` and `pulses.ts`)
 *   kinds       of the other shots those unlike all chosen so far
 *   coverage    the rest, even in the widest gaps, so that no long stretch goes unseen
 */

/** Shares of the frames for short shots, for these and departures together, and for all but coverage. */
const SHORT_SHOTS = 1 / 3;
const DEPARTURES = 3 / 4;
const CHOSEN = 15 / 16;
/** Shots of which nothing was shown yet, for each thing that comes and goes. */
const KINDS_A_TURN = 2;

/** Seconds between the pictures in which pulses are looked for, and how many there are at most. */
const STEP_S = 0.4;
const MOST_COMPARED = 2400;

/** Grey levels by which pictures have to differ to be of two kinds. */
const LEAST_DIFFERENCE = 6;
/** Departures closer than this to a chosen frame show the same. */
const APART_S = 2.5;
/** A shot is short below this length, and below this share of the video's median shot. */
const SHORT_S = 5;
const SHORT_SHARE = 0.5;

/** Part of a video, seconds. */
interface Part {
  from_s: number;
  to_s: number;
}

export interface Moments {
  /** Times of at most `count` frames, in order, each once. */
  first(count: number): number[];
  /** The same of what was not shown: shots of which nothing was, by turns with what comes and goes. */
  next(shown_s: readonly number[], count: number): number[];
}

/** The telling moments of a part, for any count: what comes and goes is looked for once. `shots` are those of the scan. */
export function tellingMoments(scan: Scan, shots: readonly Shot[], part: Part): Moments {
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
        ...apartFrom(chosen, brief, Math.round(count * DEPARTURES) - chosen.length, scan),
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

/** Key frames of shots much shorter than the others, those first that are least like the shots beside them. */
function shortShots(scan: Scan, shots: readonly Shot[], most: number, part: Part): number[] {
  const lengths = shots.map((shot) => shot.end_s - shot.start_s).sort((a, b) => a - b);
  const typical = lengths[lengths.length >> 1] ?? 0;
  const keyOf = (shot: Shot) => frameAt(scan, shot.key_s);
  const unlike = (shot: Shot) => {
    const own = signatureAt(scan, keyOf(shot));
    const beside = [shots[shot.index - 1], shots[shot.index + 1]].filter(
      (other) => other !== undefined,
    );
    return Math.min(...beside.map((other) => difference(own, signatureAt(scan, keyOf(other)))));
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
 * The strongest departures and the strongest pulses of a part by turns: the ones tell what fades, passes or stands for
 * longer, the others a faint sign beside what never rests.
 */
function briefFrames(scan: Scan, shots: readonly Shot[], { from_s, to_s }: Part): number[] {
  const long = departures(scan, shots).map(({ frame }) => frame);
  const sudden = pulseFrames(scan, { from_s, to_s });
  const byTurns = Array.from({ length: Math.max(long.length, sudden.length) }, (_, rank) =>
    [long[rank], sudden[rank]].filter((frame) => frame !== undefined),
  );
  return byTurns.flat().filter((frame) => {
    const t_s = scan.pts_s[frame] ?? 0;
    return t_s >= from_s && t_s < to_s;
  });
}

/** The first `most` of `ranked` that are near none `chosen` already, nor each other. */
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

/** The middle frames of pulses, strongest first. */
function pulseFrames(scan: Scan, { from_s, to_s }: Part): number[] {
  const step = Math.max(STEP_S, (to_s - from_s) / MOST_COMPARED);
  const count = Math.max(1, Math.round((to_s - from_s) / step));
  const times = Array.from(
    { length: count },
    (_, i) => from_s + ((to_s - from_s) * (i + 0.5)) / count,
  );
  const frames = [...new Set(times.map((t_s) => frameAt(scan, t_s)))];
  return pulses(scan, frames)
    .sort((a, b) => b.strength - a.strength || a.first - b.first)
    .map(({ first, last }) => frames[(first + last) >> 1] ?? 0);
}

/** Key frames of shots, each as unlike all chosen before it as any is (Gonzalez 1985), until what is left resembles one of them. */
function kindsOf(
  scan: Scan,
  shots: readonly Shot[],
  chosen: readonly number[],
  most: number,
  { from_s, to_s }: Part,
  least = LEAST_DIFFERENCE,
): number[] {
  const kinds: number[] = [];
  const keys = shots
    .filter(({ key_s }) => key_s >= from_s && key_s < to_s)
    .map(({ key_s }) => frameAt(scan, key_s));
  const nearest = keys.map(() => Number.POSITIVE_INFINITY);
  const compareWith = (picture: number) => {
    const signature = signatureAt(scan, picture);
    for (const [i, key] of keys.entries())
      nearest[i] = Math.min(nearest[i] ?? 0, difference(signatureAt(scan, key), signature));
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

/** Root mean square of the grey levels between two pictures: a change in a part counts for more than a change of light. */
function difference(a: Uint8Array, b: Uint8Array): number {
  let sum = 0;
  for (let cell = 0; cell < a.length; cell++) {
    const by = (a[cell] ?? 0) - (b[cell] ?? 0);
    sum += by * by;
  }
  return Math.sqrt(sum / Math.max(1, a.length));
}

/**
 * `count` further times such that the widest gap, the part's ends included, is as narrow as it can be: each goes into
 * the gap whose pieces are widest, and those of a gap are even.
 */
export function fillGaps(
  times_s: readonly number[],
  count: number,
  { from_s, to_s }: Part,
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
