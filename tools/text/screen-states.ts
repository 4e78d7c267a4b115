import { frameOf } from "../../src/media/frame-table.ts";
import { partOf, type Scan, shownUntil, signatureAt, timeOf } from "../../src/media/scan.ts";
import { findRestless, QUIET, RESTLESS_SPAN_S, STEP_S } from "./restless-cells.ts";

/** A time span in which the picture stays the same; or, if `calm` is false, one moment of a moving picture. */
export interface ScreenState {
  calm: boolean;
  /** First and last frame, as indices of the scan. */
  from: number;
  to: number;
  /** The frame to read: near the end, when everything is visible. */
  read: number;
  /** Index of an earlier state that looks the same and shares its reading. */
  same?: number;
  /** Cells of the scan that keep moving around that time and meanwhile, 1 each: for example a speaker. */
  restless: Uint8Array;
}

/** Samples during which the picture stays the same; `from` and `to` are frames. */
type Run = Pick<ScreenState, "from" | "to" | "restless"> & { first: number; last: number };

/** Seconds for which a picture must be still for its text to count. */
export const STAND_S = 0.4;
/** Seconds between readings while the picture moves. */
export const MOVING_STEP_S = 10;
/** Most states per minute. If there are more, the longest are used. */
export const STATES_A_MINUTE = 30;

/**
 * Sums of grey levels over the cells that are not quiet: the least for a movement, and the least for another picture.
 */
const MOVEMENT = 20;
const CHANGE = 45;
/** Share of restless cells from which text may be among them too. */
const MOVING = 0.4;
/**
 * Share of restless cells from which too little is left to detect a still picture. All cells are compared then, and the
 * picture must be still for longer.
 */
const LOST = 0.9;
const LOST_STAND_S = 0.8;
/** Samples for which all cells must be still before and after a change for it to be one of two still pictures. */
const STILL_SAMPLES = 3;
/** Number of earlier states that a state is compared with. */
const LOOK_BACK = 100;

/**
 * Returns the states of a video's picture in order of time, from its scan.
 * Cells that keep moving are excluded from the comparison. A bullet point that appears, or a picture that returns, is a
 * state; a passing pointer, a cross-fade and compression noise are not.
 * If a key frame shows the same picture, it is the frame to read, because nothing else must be decoded for it. `keys_s`
 * are the times of the key frames.
 */
export function findScreenStates(
  scan: Scan,
  keys_s: Float64Array = new Float64Array(),
): ScreenState[] {
  const samples = everyStep(scan);
  const restless = findRestless(scan, samples);
  const picture = (sample: number) => signatureAt(scan, samples[sample] ?? 0);
  const lost = (sample: number) => restless.share(sample) >= LOST;
  const none = new Uint8Array(scan.width * scan.height);
  const maskAt = (sample: number) => (lost(sample) ? none : restless.at(sample));
  const change = (a: number, b: number) => difference(picture(a), picture(b), maskAt(a), maskAt(b));
  /** Whether one still picture follows another, also where cells change so often that they are restless, as captions do. */
  const isStep = stepsBetweenStills(samples.length, (a, b) =>
    difference(picture(a), picture(b), none),
  );
  /** The first and last frame that show the same picture as a run of samples. */
  const edges = (first: number, last: number) => {
    const shows = (frame: number, sample: number, mask: Uint8Array) =>
      difference(signatureAt(scan, frame), picture(sample), mask) < CHANGE;
    // Where one still picture follows another, the cells that are masked elsewhere show which of them a frame is of.
    const before = isStep(first) ? none : maskAt(first);
    const after = isStep(last + 1) ? none : maskAt(last);
    let from = samples[first] ?? 0;
    while (from - 1 > (samples[first - 1] ?? -1) && shows(from - 1, first, before)) from--;
    let to = samples[last] ?? 0;
    while (to + 1 < (samples[last + 1] ?? scan.count) && shows(to + 1, last, after)) to++;
    return { from, to };
  };
  /** Of two runs, the last sample of the earlier one and the first of the later one. */
  const isSame = (a: Run, b: Run) =>
    difference(picture(a.last), picture(b.first), a.restless, b.restless) < CHANGE;
  const runs: Run[] = [];
  for (let first = 0, i = 1; i <= samples.length; i++) {
    const goes =
      i < samples.length &&
      lost(i) === lost(first) &&
      change(i - 1, i) < MOVEMENT &&
      change(first, i) < CHANGE &&
      !isStep(i);
    if (goes) continue;
    const before = runs.at(-1);
    const edge = edges(first, i - 1);
    const stood = shownUntil(scan, edge.to + 1) - timeOf(scan, edge.from);
    const least = lost(first) ? LOST_STAND_S : STAND_S;
    if (stood >= least - 0.001 || samples.length === 1) {
      const run = { first, last: i - 1, ...edge, restless: restless.within(first, i - 1) };
      if (before !== undefined && isSame(before, run))
        Object.assign(before, {
          last: run.last,
          to: run.to,
          restless: before.restless.map((cell, at) => cell | (run.restless[at] ?? 0)),
        });
      else runs.push(run);
    }
    first = i;
  }
  const calm = runs.map(({ first, last, from, to, restless: mask }): ScreenState => {
    const read = Math.max(first, last - 1);
    const frame = samples[read] ?? 0;
    const key = lastKeyFrame(scan, keys_s, timeOf(scan, from), timeOf(scan, frame));
    const alike =
      key >= 0 && difference(signatureAt(scan, key), signatureAt(scan, frame), mask) < MOVEMENT / 2;
    return { calm: true, from, to, read: alike ? key : frame, restless: mask };
  });
  const all = [...thinned(scan, calm), ...momentsOf(scan, samples, restless.share, calm)];
  return withRepeats(
    scan,
    all.sort((a, b) => a.read - b.read),
  );
}

/**
 * Returns a function of a sample: whether the picture changes to it, and all cells are still for `STILL_SAMPLES` before
 * and after. `levels` is the difference of two samples.
 */
function stepsBetweenStills(count: number, levels: (a: number, b: number) => number) {
  const changes = new Float32Array(count);
  for (let i = 1; i < count; i++) changes[i] = levels(i - 1, i);
  const still = (from: number, to: number) => {
    for (let i = Math.max(1, from); i <= Math.min(count - 1, to); i++)
      if ((changes[i] ?? 0) >= MOVEMENT) return false;
    return true;
  };
  return (i: number) =>
    (changes[i] ?? 0) >= CHANGE &&
    still(i - STILL_SAMPLES, i - 1) &&
    still(i + 1, i + STILL_SAMPLES);
}

/** The last key frame of a time span as an index of the scan, or -1. */
function lastKeyFrame(scan: Scan, keys_s: Float64Array, from_s: number, to_s: number): number {
  const key_s = keys_s.findLast((time_s) => time_s >= from_s && time_s <= to_s);
  return key_s === undefined ? -1 : frameOf(scan, key_s);
}

/** Grey levels by which two pictures differ over the cells that are neither quiet nor masked. */
function difference(
  a: Uint8Array,
  b: Uint8Array,
  maskA: Uint8Array,
  maskB: Uint8Array = maskA,
): number {
  let sum = 0;
  for (let cell = 0; cell < a.length; cell++) {
    if (maskA[cell] || maskB[cell]) continue;
    const levels = Math.abs((a[cell] ?? 0) - (b[cell] ?? 0));
    if (levels > QUIET) sum += levels;
  }
  return sum;
}

function everyStep({ pts_s }: Pick<Scan, "pts_s">): number[] {
  const samples: number[] = [];
  let next = Number.NEGATIVE_INFINITY;
  for (const [frame, t_s] of pts_s.entries()) {
    if (t_s < next - 0.01) continue;
    samples.push(frame);
    next = t_s + STEP_S;
  }
  return samples;
}

/** The frames to read of a film that moves all the time, by the times of all its frames; at most `most`. */
export function likelyMoments(pts_s: Float64Array, most: number): number[] {
  const moments: number[] = [];
  let last = Number.NEGATIVE_INFINITY;
  for (const frame of everyStep({ pts_s })) {
    const t_s = pts_s[frame] ?? 0;
    if (t_s - last < MOVING_STEP_S) continue;
    if (moments.length === most) break;
    moments.push(frame);
    last = t_s;
  }
  return moments;
}

/** Least length of a part, in seconds, by which it is known whether its film moves. */
export const KNOWN_S = 6;

/**
 * Whether the last seconds of a part of a scan move so much that its moments will be read, as `findScreenStates` decides
 * with the seconds around them; undefined if the part is too short.
 */
export function moves(part: Scan): boolean | undefined {
  const end_s = timeOf(part, part.count);
  const from = part.pts_s.findIndex((t_s) => t_s >= end_s - RESTLESS_SPAN_S);
  const last = partOf(part, Math.max(0, from), part.count);
  if (last.count < 2 || end_s - timeOf(last, 0) < KNOWN_S) return undefined;
  return findRestless(last, everyStep(last)).share(0) >= MOVING;
}

/** Moments to read in time spans with much movement, at a distance from the states. */
function momentsOf(
  scan: Scan,
  samples: number[],
  share: (sample: number) => number,
  calm: ScreenState[],
): ScreenState[] {
  const moments: ScreenState[] = [];
  const restless = new Uint8Array(scan.width * scan.height);
  let last = Number.NEGATIVE_INFINITY;
  const reads = calm.map((state) => timeOf(scan, state.read));
  for (const [sample, frame] of samples.entries()) {
    const t_s = timeOf(scan, frame);
    if (share(sample) < MOVING || t_s - last < MOVING_STEP_S) continue;
    if (reads.some((read) => Math.abs(read - t_s) < MOVING_STEP_S / 2)) continue;
    moments.push({ calm: false, from: frame, to: frame, read: frame, restless });
    last = t_s;
  }
  return moments;
}

/** Keeps the longest states of a minute that has too many. */
function thinned(scan: Scan, states: ScreenState[]): ScreenState[] {
  const minutes = new Map<number, ScreenState[]>();
  for (const state of states) {
    const minute = Math.floor(timeOf(scan, state.read) / 60);
    minutes.set(minute, [...(minutes.get(minute) ?? []), state]);
  }
  const stood = (state: ScreenState) => timeOf(scan, state.to) - timeOf(scan, state.from);
  return [...minutes.values()].flatMap((members) =>
    members.length <= STATES_A_MINUTE
      ? members
      : [...members].sort((a, b) => stood(b) - stood(a)).slice(0, STATES_A_MINUTE),
  );
}

function withRepeats(scan: Scan, states: ScreenState[]): ScreenState[] {
  return states.map((state, index) => {
    if (!state.calm) return state;
    for (let k = index - 1; k >= Math.max(0, index - LOOK_BACK); k--) {
      const other = states[k];
      if (other === undefined || !other.calm) continue;
      const levels = difference(
        signatureAt(scan, state.read),
        signatureAt(scan, other.read),
        state.restless,
        other.restless,
      );
      if (levels < MOVEMENT) return { ...state, same: k };
    }
    return state;
  });
}
