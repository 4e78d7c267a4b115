import { frameAt } from "../../src/media/frame-table.ts";
import { type Scan, signatureAt } from "../../src/media/scan.ts";
import type { Shot } from "../shots.ts";
import { pulses } from "./pulses.ts";

/*
 * Which frames say most about a video when few can be shown. Three wishes share the frames:
 *
 *   departures  what is there for a moment only: shots much shorter than the others, and pulses (see `pulses.ts`)
 *   kinds       pictures unlike all chosen so far
 *   coverage    the rest, even in the widest gaps, so that no long stretch goes unseen
 */

/** Shares of the frames for departures (at most half of them short shots) and for kinds, where there are so many. */
const DEPARTURES = 1 / 2;
const KINDS = 1 / 4;

/** Seconds between the pictures that are compared, and how many there are at most. */
const STEP_S = 0.4;
const MOST_COMPARED = 2400;

/** Grey levels by which pictures have to differ to be of two kinds. */
const LEAST_DIFFERENCE = 12;
/** Pulses closer than this are one. */
const APART_S = 2.5;
/** A shot is short below this length, and below this share of the video's median shot. */
const SHORT_S = 5;
const SHORT_SHARE = 0.5;

/** Part of a video, seconds. */
interface Part {
  from_s: number;
  to_s: number;
}

/** Times of at most `count` frames of a part, in order, each once. `shots` are those of the scan. */
export function tellingMoments(
  scan: Scan,
  shots: readonly Shot[],
  count: number,
  part: Part,
): number[] {
  const frames = compared(scan, part);
  const wanted = Math.floor(count * DEPARTURES);
  const chosen = shortShots(scan, shots, Math.ceil(wanted / 2), part);
  chosen.push(...pulseFrames(scan, frames, chosen, wanted - chosen.length));
  const apart_s = (part.to_s - part.from_s) / (2 * count);
  chosen.push(...kindsOf(scan, frames, chosen, Math.floor(count * KINDS), apart_s));
  const times = chosen.map((frame) => scan.pts_s[frame] ?? 0);
  const more = fillGaps(times, count - times.length, part).map((t_s) => frameAt(scan, t_s));
  return [...new Set([...chosen, ...more])]
    .sort((a, b) => a - b)
    .map((frame) => scan.pts_s[frame] ?? 0);
}

/** Frames of a part at even distances, at most so many. */
function compared(scan: Scan, { from_s, to_s }: Part): number[] {
  const step = Math.max(STEP_S, (to_s - from_s) / MOST_COMPARED);
  const count = Math.max(1, Math.round((to_s - from_s) / step));
  const times = Array.from(
    { length: count },
    (_, i) => from_s + ((to_s - from_s) * (i + 0.5)) / count,
  );
  return [...new Set(times.map((t_s) => frameAt(scan, t_s)))];
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

/** The middle frames of the strongest pulses, strongest first; none near those `chosen` already. */
function pulseFrames(
  scan: Scan,
  frames: readonly number[],
  chosen: readonly number[],
  most: number,
): number[] {
  const taken = chosen.map((frame) => scan.pts_s[frame] ?? 0);
  const found: number[] = [];
  for (const pulse of pulses(scan, frames).sort(
    (a, b) => b.strength - a.strength || a.first - b.first,
  )) {
    if (found.length >= most) break;
    const frame = frames[(pulse.first + pulse.last) >> 1] ?? 0;
    const t_s = scan.pts_s[frame] ?? 0;
    if (taken.some((other) => Math.abs(other - t_s) < APART_S)) continue;
    found.push(frame);
    taken.push(t_s);
  }
  return found;
}

/** Frames each as unlike all chosen before it as any is (Gonzalez 1985), until what is left resembles or neighbours one of them. */
function kindsOf(
  scan: Scan,
  frames: readonly number[],
  chosen: readonly number[],
  most: number,
  apart_s: number,
): number[] {
  const kinds: number[] = [];
  const nearest = new Float32Array(frames.length).fill(Number.POSITIVE_INFINITY);
  const compareWith = (picture: number) => {
    const signature = signatureAt(scan, picture);
    const t_s = scan.pts_s[picture] ?? 0;
    for (let i = 0; i < frames.length; i++) {
      const frame = frames[i] ?? 0;
      const isNear = Math.abs((scan.pts_s[frame] ?? 0) - t_s) < apart_s;
      const unlike = isNear ? 0 : difference(signatureAt(scan, frame), signature);
      nearest[i] = Math.min(nearest[i] ?? 0, unlike);
    }
  };
  for (const picture of chosen) compareWith(picture);
  while (kinds.length < most) {
    let best = 0;
    for (let i = 1; i < frames.length; i++) if ((nearest[i] ?? 0) > (nearest[best] ?? 0)) best = i;
    if ((nearest[best] ?? 0) < LEAST_DIFFERENCE) break;
    const picture = frames[best] ?? 0;
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
