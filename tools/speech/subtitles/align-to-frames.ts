import type { Cue } from "./cue.ts";

/** The text that replaces missing subtitles in VideoMathQA's released code. */
export const NO_SUBTITLES = "No subtitles available";

/**
 * Returns the subtitles of sampled frames, by frame number, as VideoMathQA's released code aligns them: a cue covers
 * the frames from `int(start_s * fps)` up to, but not including, `int(end_s * fps)`, and is used if one of `frames` is
 * among them. A cue between two frames covers none. Each cue is used once, in the given order, one per line. (There, a
 * Python set orders them, which is another order in long videos.)
 *
 * `frames` are frame numbers from 0, such as those of `linspaceFrames`; `fps` is the container's nominal rate. `null`
 * for `cues` means that the video has no subtitle file; an empty result means that no sampled frame is covered by a
 * cue.
 */
export function alignToFrames(
  cues: readonly Cue[] | null,
  frames: readonly number[],
  fps: number,
): string {
  const inFrames = (seconds: number) => Math.trunc(seconds * fps);
  return align(cues, frames, (cue) => ({ from: inFrames(cue.start_s), to: inFrames(cue.end_s) }));
}

/** The same by frame times in seconds, for videos without a constant rate: a cue covers `start_s <= t < end_s`. */
export function alignToTimes(cues: readonly Cue[] | null, times_s: readonly number[]): string {
  return align(cues, times_s, (cue) => ({ from: cue.start_s, to: cue.end_s }));
}

/** As `numpy.linspace(0, total - 1, count, dtype=int)`: frame numbers including both ends, truncated to integers. */
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
