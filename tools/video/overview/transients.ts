import { frameAt } from "../../../src/media/frame-table.ts";
import { chromaAt, type Scan, signatureAt } from "../../../src/media/scan.ts";
import type { Shot } from "../shots.ts";

/*
 * Finds what is visible for only a while within a shot: a sign that is held up, an object that passes, a caption that
 * stays a few seconds, whether it appears at once or fades in. For each cell of the scan's small pictures, the levels
 * around a time, of grey and of colour, are compared with the range of levels some time before and after. Cells that
 * always move have a wide range and do not count. Global changes of light and colour and the usual strength within the
 * shot are subtracted.
 */

export interface Transient {
  /** The middle frame, an index of the scan. */
  frame: number;
  /** Levels beyond the range before and after, summed over the cells. */
  strength: number;
}

/** Seconds between compared pictures. The step grows from 40 minutes on, to compare at most this many. */
const STEP_S = 0.4;
const MOST_COMPARED = 6000;
/**
 * Distance in pictures from the middle to the pictures before and after, for short and long transients: 2 s to 25 s.
 */
const REACHES = [4, 8, 16, 32] as const;
/** Share of the reach for which a cell must differ on either side of the middle. */
const STANDS = 0.25;
/** Number of pictures before, and after, that are compared. */
const AROUND = 6;
/** A cell of the colour planes covers four cells of the grey picture. */
const COLOUR_WEIGHT = 4;
/**
 * Levels that count as noise, and the most that one cell adds: many changed cells count more than a few bright
 * ones.
 */
const STRAY = 4;
const MOST = 24;
/** Least strength. */
const LEAST = 120;
/** Factor of a shot's usual strength that is subtracted. */
const USUAL = 1.5;

/** Returns the transients within the shots, the strongest first. No two lie within each other's reach. */
export function findTransients(scan: Scan, shots: readonly Shot[]): Transient[] {
  const step_s = Math.max(STEP_S, (scan.pts_s[scan.count - 1] ?? 0) / MOST_COMPARED);
  const found = shots.flatMap((shot) => {
    const frames = framesOf(scan, shot, step_s);
    const pictures = frames.map((frame) => lightAndColour(scan, frame));
    for (const plane of planesOf(scan)) toOneLight(pictures, plane);
    return REACHES.flatMap((reach) =>
      strengthsOf(pictures, reach, scan.width * scan.height).flatMap((strength, place) =>
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

/** Weights each further transient of a shot less, so that one restless shot does not take all places. */
function spread(found: readonly (Transient & { shot: Shot })[]): Transient[] {
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

/** The grey picture of a frame, followed by its colour planes. */
function lightAndColour(scan: Scan, frame: number): Uint8Array {
  const grey = signatureAt(scan, frame);
  const colour = chromaAt(scan, frame);
  const both = new Uint8Array(grey.length + colour.length);
  both.set(grey);
  both.set(colour, grey.length);
  return both;
}

interface Plane {
  from: number;
  to: number;
}

/** Where the planes of `lightAndColour` are. */
function planesOf({ width, height }: Scan): Plane[] {
  const cells = width * height;
  return [
    { from: 0, to: cells },
    { from: cells, to: cells * 1.25 },
    { from: cells * 1.25, to: cells * 1.5 },
  ];
}

/**
 * The strength at each picture, less the usual strength of the shot; 0 without pictures before or after. `grey` is the
 * number of grey cells of a picture.
 */
function strengthsOf(pictures: readonly Uint8Array[], reach: number, grey: number): number[] {
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
    strengths[place] = beyond(inside, outside, grey);
  }
  const sorted = strengths.slice(reach, last + 1).sort((a, b) => a - b);
  const usual = USUAL * (sorted[Math.floor(sorted.length * (reach < 12 ? 0.85 : 0.6))] ?? 0);
  return strengths.map((strength) => Math.max(0, strength - usual));
}

interface Range {
  low: Uint8Array;
  high: Uint8Array;
}

/** Least and greatest level of each cell. */
function range(pictures: readonly Uint8Array[]): Range {
  const low = Uint8Array.from(pictures[0] ?? []);
  const high = Uint8Array.from(low);
  for (const picture of pictures)
    for (let cell = 0; cell < low.length; cell++) {
      const level = picture[cell] as number;
      if (level < (low[cell] as number)) low[cell] = level;
      else if (level > (high[cell] as number)) high[cell] = level;
    }
  return { low, high };
}

/** Levels by which the cells of `inside` exceed the range `outside`. */
function beyond(inside: Range, outside: Range, grey: number): number {
  let light = 0;
  let colour = 0;
  for (let cell = 0; cell < inside.low.length; cell++) {
    const above = (inside.low[cell] as number) - (outside.high[cell] as number);
    const below = (outside.low[cell] as number) - (inside.high[cell] as number);
    const by = Math.max(above, below) - STRAY;
    if (by <= 0) continue;
    if (cell < grey) light += Math.min(by, MOST);
    else colour += Math.min(by, MOST);
  }
  return light + COLOUR_WEIGHT * colour;
}

/** Normalises one plane of the pictures to that of the first, by the median difference of the cells. */
function toOneLight(pictures: readonly Uint8Array[], { from, to }: Plane): void {
  const first = pictures[0]?.slice(from, to);
  for (const picture of pictures) {
    const plane = picture.subarray(from, to);
    const light = first === undefined ? 0 : lightBetween(plane, first);
    if (light === 0) continue;
    for (const [cell, level] of plane.entries())
      plane[cell] = Math.max(0, Math.min(255, level - light));
  }
}

/** The median difference of the cells, in levels. */
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
