import { z } from "zod";
import { Failure } from "../../src/core/errors.ts";
import { type FrameTable, frameAt } from "../../src/media/frame-table.ts";

const Count = z.int().min(1);

/**
 * Which frames to take.
 * - `ends`: `n` evenly spaced frames including both ends, `linspace(0, total - 1, n)` truncated to whole indices
 *   (MMR-V, VideoMathQA)
 * - `midpoints`: the frame in the middle of each of `n` equal segments (InternVL in VCRBench)
 * - `fps`: the frame on screen every `1 / fps` seconds
 * - `fps-else-N`: as `fps` (default 1), or as `ends` if `fps` gives more than `n` frames (GPT-4o in VCRBench)
 * - `times`: the frames on screen at `times_s`
 * - `range`: as `ends`, from `from_s` to `to_s`
 * `from_s` (the frame on screen then) and `to_s` (frames that begin before it) restrict each sampler to a range of
 * the video.
 */
export const SampleSpec = z.strictObject({
  sampler: z.enum(["ends", "midpoints", "fps", "fps-else-N", "times", "range"]),
  n: Count.optional(),
  fps: z.number().positive().optional(),
  times_s: z.array(z.number()).optional(),
  from_s: z.number().optional(),
  to_s: z.number().optional(),
  /** Longest side in pixels, and area in square pixels, of a frame; null: no limit. */
  max_side: Count.nullable(),
  max_area: Count.nullable(),
  /** JPEG quality. */
  quality: z.int().min(1).max(100),
});
export type SampleSpec = z.infer<typeof SampleSpec>;

/**
 * Returns indices into the frame table: sorted, without duplicates, at least one. Throws `Failure` `wrong-usage`,
 * `media-limit`.
 */
export function chooseFrames(spec: SampleSpec, table: FrameTable): number[] {
  const part = partOf(spec, table);
  return [...new Set(chosen(spec, table, part))].sort((a, b) => a - b);
}

interface FrameRange {
  first: number;
  last: number;
  from_s: number;
  to_s: number;
}

function partOf(spec: SampleSpec, table: FrameTable): FrameRange {
  const { from_s = 0, to_s = table.end_s } = spec;
  if (from_s >= table.end_s)
    throw new Failure(
      "wrong-usage",
      `Cannot sample frames from ${from_s} s: the video ends at ${table.end_s.toFixed(3)} s.`,
      { from_s, end_s: table.end_s },
    );
  if (to_s <= from_s)
    throw new Failure(
      "wrong-usage",
      `Cannot sample frames from ${from_s} s to ${to_s} s: the range must end after it begins.`,
      { from_s, to_s },
    );
  const first = frameAt(table, from_s);
  const end = Math.min(to_s, table.end_s);
  return { first, last: Math.max(first, lastBegunBefore(table, to_s)), from_s, to_s: end };
}

/** Seconds by which rounding may move a frame's time. */
const ROUNDING_S = 0.0005;

function lastBegunBefore(table: FrameTable, t_s: number): number {
  const at = frameAt(table, t_s);
  const start_s = table.pts_s[at] ?? 0;
  const length_s = (table.pts_s[at + 1] ?? table.end_s) - start_s;
  return start_s >= t_s - Math.min(ROUNDING_S, length_s / 2) ? at - 1 : at;
}

function chosen(spec: SampleSpec, table: FrameTable, part: FrameRange): number[] {
  const total = part.last - part.first + 1;
  switch (spec.sampler) {
    case "ends":
    case "range":
      return evenly(total, given(spec, "n")).map((i) => part.first + i);
    case "midpoints": {
      const n = given(spec, "n");
      return Array.from({ length: n }, (_, i) => part.first + Math.trunc(((i + 0.5) * total) / n));
    }
    case "fps":
      return steps(part, table, given(spec, "fps"));
    case "fps-else-N": {
      const n = given(spec, "n");
      const fps = spec.fps ?? 1;
      return countSteps(part, fps) > n
        ? evenly(total, n).map((i) => part.first + i)
        : steps(part, table, fps);
    }
    case "times":
      return given(spec, "times_s").map((t_s) => within(frameAt(table, t_s), part));
  }
}

/** As numpy's `linspace(0, total - 1, n).astype(int)`, including its rounding. */
function evenly(total: number, n: number): number[] {
  if (n === 1) return [0];
  const step = (total - 1) / (n - 1);
  return Array.from({ length: n }, (_, i) => (i === n - 1 ? total - 1 : Math.trunc(i * step)));
}

/** Most times that a rate may request: 4.6 hours at 60 fps, 11 days at 1 fps. A header can claim any duration. */
const MAX_STEPS = 1_000_000;

function countSteps(part: FrameRange, fps: number): number {
  return Math.max(1, Math.ceil((part.to_s - part.from_s) * fps - 1e-6));
}

function steps(part: FrameRange, table: FrameTable, fps: number): number[] {
  const count = countSteps(part, fps);
  if (count > MAX_STEPS)
    throw new Failure(
      "media-limit",
      `Cannot sample ${fps} frames per second of ${(part.to_s - part.from_s).toFixed(0)} s: that is ${count} frames, and the limit is ${MAX_STEPS}. Use a lower --fps or another --sampler.`,
      { fps, frames: count, limit: MAX_STEPS },
    );
  return Array.from({ length: count }, (_, k) =>
    within(frameAt(table, part.from_s + k / fps), part),
  );
}

function within(frame: number, part: FrameRange): number {
  return Math.min(part.last, Math.max(part.first, frame));
}

function given<K extends "n" | "fps" | "times_s">(
  spec: SampleSpec,
  name: K,
): NonNullable<SampleSpec[K]> {
  const value = spec[name];
  if (value === undefined || (Array.isArray(value) && value.length === 0))
    throw new Failure("wrong-usage", `The sampler \`${spec.sampler}\` needs \`${name}\`.`, {
      sampler: spec.sampler,
      missing: name,
    });
  return value;
}
