import type { Cue } from "./cue.ts";

/** What stands in the place of subtitles where there is no file. VideoMathQA, released code. */
export const NO_SUBTITLES = "No subtitles available";

/**
 * The subtitles of sampled frames, by frame numbers, as VideoMathQA's released code aligns them: a cue covers the
 * frames from `int(start_s * fps)` up to, not including, `int(end_s * fps)`, and goes in when one of `frames` is among
 * them. A cue that falls between two frames covers none. Each cue once, in the order given, a line each.
 *
 * `frames` are numbers from 0, such as `linspaceFrames` gives; `fps` the container's nominal rate.
 * `null` for `cues` means that there was no file; an empty text, that no sampled frame lay in a cue.
 */
export function alignToFrames(
  cues: readonly Cue[] | null,
  frames: readonly number[],
  fps: number,
): string {
  const inFrames = (seconds: number) => Math.trunc(seconds * fps);
  return align(cues, frames, (cue) => ({ from: inFrames(cue.start_s), to: inFrames(cue.end_s) }));
}

/** The same for frames known by their own times in seconds, where no one rate holds: a cue covers `start_s <= t < end_s`. */
export function alignToTimes(cues: readonly Cue[] | null, times_s: readonly number[]): string {
  return align(cues, times_s, (cue) => ({ from: cue.start_s, to: cue.end_s }));
}

/** `numpy.linspace(0, total - 1, count, dtype=int)`: frame numbers with both ends, cut to integers. */
export function linspaceFrames(total: number, count: number): number[] {
  if (total < 1 || count < 1) return [];
  const last = total - 1;
  const step = last / (count - 1);
  return Array.from({ length: count }, (_, index) =>
    index > 0 && index === count - 1 ? last : index === 0 ? 0 : Math.trunc(index * step),
  );
}

function align(
  cues: readonly Cue[] | null,
  samples: readonly number[],
  covered: (cue: Cue) => { from: number; to: number },
): string {
  if (cues === null) return NO_SUBTITLES;
  const sorted = Float64Array.from(samples).sort();
  return cues
    .filter((cue) => {
      const { from, to } = covered(cue);
      return (sorted[firstAtOrAfter(sorted, from)] ?? Number.POSITIVE_INFINITY) < to;
    })
    .map((cue) => cue.text)
    .join("\n");
}

function firstAtOrAfter(sorted: Float64Array, value: number): number {
  let low = 0;
  let high = sorted.length;
  while (low < high) {
    const middle = (low + high) >>> 1;
    if ((sorted[middle] as number) < value) low = middle + 1;
    else high = middle;
  }
  return low;
}
