import { hashOf } from "../../src/core/hash.ts";
import type { JobContext } from "../../src/core/job-context.ts";
import { chromaAt, type Scan, signatureAt, timeOf } from "../../src/media/scan.ts";
import { scanVideo, unevenEnd } from "./scan.ts";
import { frameTable, type Video } from "./video.ts";

/** The frames between two cuts. `index` counts from 0; `key_s` is the time of the most typical frame. */
export interface Shot {
  index: number;
  start_s: number;
  end_s: number;
  key_s: number;
}

/** Raise when the same scan would give other shots. */
export const SHOTS_VERSION = 2;

/** Mean difference in levels between neighbouring frames from which a cut is possible. */
const CUT = 8;
/** Factor by which a cut exceeds the motion around it. A hand-held camera moves as much, but continuously. */
const ABOVE_MOTION = 3;
const AROUND_S = 0.5;
/** If the previous picture returns within these seconds, the change is a flash. */
const FLASH_S = 0.35;
/** Shortest shot, in seconds. */
const MIN_SHOT_S = 0.4;
/** Mean difference in grey levels between neighbouring frames of a dissolve, and between its first and last frame. */
const DISSOLVE_STEP = 0.8;
const DISSOLVE = 16;
const MAX_DISSOLVE_S = 2.5;
/**
 * A blend of two pictures lies between them: its distances from both add up to the distance between them. Motion does
 * not behave so.
 */
const BLEND = 1.15;
/** Mean grey level below which a picture counts as black. */
const BLACK = 24;
/** Number of frames of a shot that are compared to find the most typical one. */
const KEY_CANDIDATES = 48;

/**
 * Returns the shots of a video, from its scan: split at hard cuts, and at dissolves and fades of up to 2.5 s, and at
 * hard cuts that change only the colour. A flash, a fast pan and a bullet point that appears are not cuts; a video without cuts is one shot. Shots follow
 * each other without gaps from the time of the first frame to the end of the last. The result is stored by the
 * video's content.
 * Throws what `scanVideo` throws.
 */
export async function detectShots(video: Video, job: JobContext): Promise<Shot[]> {
  const end = unevenEnd(await frameTable(video, job));
  const { value } = await job.store.memo.once<Shot[]>(
    {
      key: hashOf(["shots", SHOTS_VERSION, video.hash, ...end]),
      tags: [video.hash],
      run: job.run,
      signal: job.signal,
    },
    async (signal) => shotsOf(await scanVideo(video, { ...job, signal })),
  );
  return value;
}

/** Returns the shots of a scan. */
export function shotsOf(scan: Scan): Shot[] {
  const grey = { scan, at: (frame: number) => signatureAt(scan, frame) };
  const motion = motionOf(grey);
  const cuts = spaced(scan, [...hardCuts(grey, motion), ...dissolves(scan, motion)]);
  const colour = { scan, at: (frame: number) => chromaAt(scan, frame) };
  // A change of colour near a cut in the grey pictures is the same cut.
  cuts.push(...spaced(scan, hardCuts(colour, motionOf(colour)), cuts));
  const starts = [0, ...cuts.sort((a, b) => a - b)];
  return starts.map((from, index) => {
    const to = starts[index + 1] ?? scan.count;
    return {
      index,
      start_s: timeOf(scan, from),
      end_s: timeOf(scan, to),
      key_s: timeOf(scan, keyFrame(scan, from, to)),
    };
  });
}

/** A possible first frame of a shot. A greater `strength` is more certain. */
interface Cut {
  frame: number;
  strength: number;
}

/** The grey pictures of a scan, or the colour planes. */
interface Pictures {
  scan: Scan;
  at: (frame: number) => Uint8Array;
}

/** Mean difference in levels between each frame and the previous one; 0 for the first. */
function motionOf({ scan, at }: Pictures): Float32Array {
  const motion = new Float32Array(scan.count);
  for (let frame = 1; frame < scan.count; frame++)
    motion[frame] = distance(at(frame - 1), at(frame));
  return motion;
}

function hardCuts(pictures: Pictures, motion: Float32Array): Cut[] {
  const cuts: Cut[] = [];
  for (let frame = 1; frame < pictures.scan.count; frame++) {
    const strength = motion[frame] ?? 0;
    if (strength < CUT) continue;
    if (strength < usualMotion(pictures.scan, motion, frame) * ABOVE_MOTION + CUT / 2) continue;
    if (isFlash(pictures, frame, strength)) continue;
    cuts.push({ frame, strength });
  }
  return cuts;
}

/** Median motion of the surrounding frames, without the frame itself. */
function usualMotion(scan: Scan, motion: Float32Array, frame: number): number {
  const around: number[] = [];
  for (const step of [-1, 1])
    for (
      let at = frame + step;
      at > 0 && at < scan.count && Math.abs(timeOf(scan, at) - timeOf(scan, frame)) <= AROUND_S;
      at += step
    )
      around.push(motion[at] ?? 0);
  return around.sort((a, b) => a - b)[Math.floor(around.length / 2)] ?? 0;
}

/** Whether the previous picture returns soon after, or this frame is where it returns. */
function isFlash({ scan, at }: Pictures, frame: number, strength: number): boolean {
  const alike = (a: number, b: number) => distance(at(a), at(b)) < strength * 0.4;
  const within = (other: number) => Math.abs(timeOf(scan, other) - timeOf(scan, frame)) <= FLASH_S;
  for (let next = frame + 1; next < scan.count && within(next); next++)
    if (alike(frame - 1, next)) return true;
  for (let before = frame - 2; before >= 0 && within(before); before--)
    if (alike(before, frame)) return true;
  return false;
}

/** Finds runs of steady change between two nearly still pictures. */
function dissolves(scan: Scan, motion: Float32Array): Cut[] {
  const found: Cut[] = [];
  for (let frame = 1; frame < scan.count; frame++) {
    const first = frame;
    let total = 0;
    while (frame < scan.count && (motion[frame] ?? 0) >= DISSOLVE_STEP)
      total += motion[frame++] ?? 0;
    const length = frame - first;
    const lasts = timeOf(scan, frame) - timeOf(scan, first);
    if (length < 3 || lasts > MAX_DISSOLVE_S) continue;
    const before = signatureAt(scan, first - 1);
    const after = signatureAt(scan, frame - 1);
    const strength = distance(before, after);
    const calm = Math.max(
      meanMotion(scan, motion, first - 1, -1),
      meanMotion(scan, motion, frame, 1),
    );
    if (strength < DISSOLVE || calm > (total / length) * 0.35) continue;
    if (blends(scan, first - 1, frame - 1))
      found.push({ frame: halfway(scan, first, frame), strength });
    else {
      const dark = darkest(scan, first, frame);
      if (dark !== null && blends(scan, first - 1, dark) && blends(scan, dark, frame - 1))
        found.push({ frame: dark, strength });
    }
  }
  return found;
}

/** Whether each picture between the two is a blend of them, as in a dissolve or a fade. */
function blends(scan: Scan, from: number, to: number): boolean {
  const before = signatureAt(scan, from);
  const after = signatureAt(scan, to);
  const apart = distance(before, after) * BLEND;
  return [0.25, 0.5, 0.75].every((share) => {
    const picture = signatureAt(scan, from + Math.round((to - from) * share));
    return distance(picture, before) + distance(picture, after) <= apart;
  });
}

/** The first frame that is nearer to the picture after than to the picture before. */
function halfway(scan: Scan, first: number, end: number): number {
  const before = signatureAt(scan, first - 1);
  const after = signatureAt(scan, end - 1);
  let frame = first;
  while (
    frame < end - 1 &&
    distance(signatureAt(scan, frame), before) < distance(signatureAt(scan, frame), after)
  )
    frame++;
  return frame;
}

/** The darkest frame of a fade through black; null if no frame is black. */
function darkest(scan: Scan, first: number, end: number): number | null {
  const black = new Uint8Array(scan.width * scan.height);
  let best = { frame: -1, light: BLACK };
  for (let frame = first; frame < end; frame++) {
    const light = distance(signatureAt(scan, frame), black);
    if (light < best.light) best = { frame, light };
  }
  return best.frame < 0 ? null : best.frame;
}

function meanMotion(scan: Scan, motion: Float32Array, from: number, step: 1 | -1): number {
  let sum = 0;
  let count = 0;
  for (
    let at = from;
    at > 0 && at < scan.count && Math.abs(timeOf(scan, at) - timeOf(scan, from)) <= AROUND_S;
    at += step, count++
  )
    sum += motion[at] ?? 0;
  return count === 0 ? 0 : sum / count;
}

/** Keeps the stronger of two cuts that are too close, and none that is too close to a known one. */
function spaced(scan: Scan, cuts: Cut[], known: readonly number[] = []): number[] {
  const kept: number[] = [];
  const ends = new Map<number, number[]>();
  const spanOf = (t_s: number) => Math.floor(t_s / MIN_SHOT_S);
  const add = (t_s: number) => ends.set(spanOf(t_s), [...(ends.get(spanOf(t_s)) ?? []), t_s]);
  for (const frame of [0, scan.count, ...known]) add(timeOf(scan, frame));
  for (const { frame } of [...cuts].sort((a, b) => b.strength - a.strength)) {
    const t_s = timeOf(scan, frame);
    const near = [-1, 0, 1].flatMap((step) => ends.get(spanOf(t_s) + step) ?? []);
    if (near.some((end) => Math.abs(end - t_s) < MIN_SHOT_S - 1e-6)) continue;
    kept.push(frame);
    add(t_s);
  }
  return kept;
}

/** The frame nearest to the mean picture of the shot. */
function keyFrame(scan: Scan, from: number, to: number): number {
  const step = Math.max(1, (to - from) / KEY_CANDIDATES);
  const frames: number[] = [];
  for (let at = from + step / 2; at < to; at += step) frames.push(Math.floor(at));
  const mean = new Float32Array(scan.width * scan.height);
  for (const frame of frames)
    for (const [cell, level] of signatureAt(scan, frame).entries())
      mean[cell] = (mean[cell] ?? 0) + level / frames.length;
  let best = { frame: from, levels: Number.POSITIVE_INFINITY };
  for (const frame of frames) {
    const levels = distance(signatureAt(scan, frame), mean);
    if (levels < best.levels) best = { frame, levels };
  }
  return best.frame;
}

/** Mean absolute difference of two pictures, in levels. */
function distance(a: Uint8Array, b: Uint8Array | Float32Array): number {
  let sum = 0;
  for (let cell = 0; cell < a.length; cell++) sum += Math.abs((a[cell] ?? 0) - (b[cell] ?? 0));
  return sum / a.length;
}
