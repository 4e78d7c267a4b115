import { frameAt } from "../../../src/media/frame-table.ts";
import { type Scan, signatureAt } from "../../../src/media/scan.ts";
import type { Shot } from "../shots.ts";

/*
 * What is in the picture for a part of a shot only: a sign that is held up, a thing that passes, a plate that stands
 * for a while; however it comes and goes, at once or by a fade. Cell by cell of the scan's pictures: what is seen
 * around a time departs when its grey lies beyond all that is seen a while before and a while after. Cells that keep
 * moving have seen it all; light that changes everywhere is taken off; and so is what a shot departs by all the time.
 */

export interface Departure {
  /** Its middle frame, a number of the scan. */
  frame: number;
  /** Grey levels beyond what is seen before and after, summed over the cells. */
  strength: number;
}

/** Seconds between the pictures that are compared: more where there would be too many of them, from 40 minutes on. */
const STEP_S = 0.4;
const MOST_COMPARED = 6000;
/** Pictures between its middle and what counts as before and after, for short and long departures: 2 s to 25 s. */
const REACHES = [4, 8, 16, 32] as const;
/** Share of the reach in which a cell has to stay departed on either side of the middle. */
const STANDS = 0.25;
/** Pictures that count as before, and as after. */
const AROUND = 6;
/** Grey levels beyond the usual that are nothing, and what counts at most of a cell: many cells tell more than a few bright ones. */
const STRAY = 4;
const MOST = 24;
/** Strength below which nothing departs. */
const LEAST = 120;
/** How many times a shot's usual strength is taken off. */
const USUAL = 1.5;

/** Departures within the shots, the strongest first; no two of them lie in each other's reach. */
export function departures(scan: Scan, shots: readonly Shot[]): Departure[] {
  const step_s = Math.max(STEP_S, (scan.pts_s[scan.count - 1] ?? 0) / MOST_COMPARED);
  const found = shots.flatMap((shot) => {
    const frames = framesOf(scan, shot, step_s);
    const pictures = inOneLight(frames.map((frame) => signatureAt(scan, frame)));
    return REACHES.flatMap((reach) =>
      strengthsOf(pictures, reach).flatMap((strength, place) =>
        strength < LEAST
          ? []
          : [{ frame: frames[place] ?? 0, shot, strength, reach_s: reach * step_s }],
      ),
    );
  });
  const kept: ((typeof found)[number] & { t_s: number })[] = [];
  for (const one of found.sort((a, b) => b.strength - a.strength || a.frame - b.frame)) {
    const t_s = scan.pts_s[one.frame] ?? 0;
    const isNear = (other: (typeof kept)[number]) =>
      Math.abs(other.t_s - t_s) < Math.max(other.reach_s, one.reach_s);
    if (!kept.some(isNear)) kept.push({ ...one, t_s });
  }
  return spread(kept);
}

/** Those of a shot count for less and less, so that one restless shot does not take all places. */
function spread(found: readonly (Departure & { shot: Shot })[]): Departure[] {
  const before = new Map<Shot, number>();
  return found
    .map(({ frame, shot, strength }) => {
      const rank = (before.get(shot) ?? 0) + 1;
      before.set(shot, rank);
      return { frame, strength: strength / rank };
    })
    .sort((a, b) => b.strength - a.strength || a.frame - b.frame);
}

function framesOf({ pts_s }: Scan, { start_s, end_s }: Shot, step_s: number): number[] {
  const count = Math.floor((end_s - start_s) / step_s);
  return Array.from({ length: count }, (_, i) => frameAt({ pts_s }, start_s + (i + 0.5) * step_s));
}

/** How far each picture departs, less what is usual in the shot; 0 where there is nothing before or after. */
function strengthsOf(pictures: readonly Uint8Array[], reach: number): number[] {
  const stands = Math.ceil(reach * STANDS);
  const last = pictures.length - reach - 1;
  const strengths = new Array<number>(pictures.length).fill(0);
  if (last < reach) return strengths;
  for (let place = reach; place <= last; place++) {
    const outside = range([
      ...pictures.slice(Math.max(0, place - reach - AROUND + 1), place - reach + 1),
      ...pictures.slice(place + reach, place + reach + AROUND),
    ]);
    const inside = range(pictures.slice(place - stands, place + stands + 1));
    strengths[place] = beyond(inside, outside);
  }
  const sorted = strengths.slice(reach, last + 1).sort((a, b) => a - b);
  const usual = USUAL * (sorted[Math.floor(sorted.length * (reach < 12 ? 0.85 : 0.6))] ?? 0);
  return strengths.map((strength) => Math.max(0, strength - usual));
}

interface Range {
  low: Uint8Array;
  high: Uint8Array;
}

/** Least and greatest grey of each cell. */
function range(pictures: readonly Uint8Array[]): Range {
  const low = Uint8Array.from(pictures[0] ?? []);
  const high = Uint8Array.from(low);
  for (const picture of pictures)
    for (let cell = 0; cell < low.length; cell++) {
      const grey = picture[cell] as number;
      if (grey < (low[cell] as number)) low[cell] = grey;
      else if (grey > (high[cell] as number)) high[cell] = grey;
    }
  return { low, high };
}

/** Grey levels by which the cells of `inside` lie beyond `outside`. */
function beyond(inside: Range, outside: Range): number {
  let sum = 0;
  for (let cell = 0; cell < inside.low.length; cell++) {
    const above = (inside.low[cell] as number) - (outside.high[cell] as number);
    const below = (outside.low[cell] as number) - (inside.high[cell] as number);
    const by = Math.max(above, below) - STRAY;
    if (by > 0) sum += Math.min(by, MOST);
  }
  return sum;
}

/** The pictures in the light of the first: without what most cells differ from it by. */
function inOneLight(pictures: readonly Uint8Array[]): Uint8Array[] {
  const [first] = pictures;
  return pictures.map((picture) => {
    const light = first === undefined ? 0 : lightBetween(picture, first);
    return light === 0 ? picture : picture.map((grey) => Math.max(0, Math.min(255, grey - light)));
  });
}

/** The median of what the cells differ by, grey levels. */
function lightBetween(picture: Uint8Array, other: Uint8Array): number {
  const counts = new Uint16Array(511);
  for (let cell = 0; cell < picture.length; cell++) {
    const place = (picture[cell] as number) - (other[cell] as number) + 255;
    counts[place] = (counts[place] as number) + 1;
  }
  let median = 0;
  for (let seen = counts[0] as number; seen < picture.length / 2; )
    seen += counts[++median] as number;
  return median - 255;
}
