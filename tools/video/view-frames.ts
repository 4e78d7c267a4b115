import { z } from "zod";
import { Failure } from "../../src/core/errors.ts";
import type { JobContext } from "../../src/core/job-context.ts";
import type { FrameRef } from "../../src/core/shapes.ts";
import { clock } from "../../src/core/time.ts";
import { type FrameTable, frameAt } from "../../src/media/frame-table.ts";
import { parseRequest } from "../parse-request.ts";
import { sampleFrames } from "./frames.ts";
import { frameTable, type Video } from "./video.ts";

/** Most frames that one call may show. */
export const MOST_VIEWED = 64;

const Look = {
  /** Longest side in pixels; null: as stored. */
  max_side: z.int().min(16).nullable().default(768),
  /** JPEG quality. */
  quality: z.int().min(1).max(100).default(85),
};

/** A part to be shown, in seconds from the start of the container, and with how many frames. */
export const ViewSpec = z.strictObject({
  from_s: z.number().min(0),
  to_s: z.number(),
  count: z.int().min(1).max(MOST_VIEWED),
  ...Look,
});
export type ViewSpec = z.input<typeof ViewSpec>;

/** Times to be shown, in seconds from the start of the container. */
export const TimesSpec = z.strictObject({
  times_s: z.array(z.number().min(0)).min(1).max(MOST_VIEWED),
  ...Look,
});
export type TimesSpec = z.input<typeof TimesSpec>;

/**
 * Returns evenly spaced frames of a range of a video: the middle of each of `count` equal segments, with their own
 * times. Returns fewer if the range has fewer. The end is cut to the end of the video; an empty range gives the frame
 * on screen then.
 * Throws `Failure` `wrong-usage` for a range that begins after the end of the video or ends before it begins, and
 * what `sampleFrames` throws.
 */
export async function viewFrames(
  video: Video,
  spec: ViewSpec,
  job: JobContext,
): Promise<FrameRef[]> {
  const { from_s, to_s, count, ...look } = parseRequest(ViewSpec, spec, "a look at frames");
  const table = await frameTable(video, job);
  withinVideo(table, from_s);
  if (to_s < from_s)
    throw new Failure(
      "wrong-usage",
      `Expected the part to view to end after it begins, got ${from_s} s to ${to_s} s.`,
      { from_s, to_s },
    );
  const length = Math.min(to_s, table.end_s) - from_s;
  const times_s = Array.from({ length: count }, (_, i) => from_s + (length * (i + 0.5)) / count);
  return sampleFrames(video, { sampler: "times", times_s, max_area: null, ...look }, job);
}

/**
 * Returns the frame on screen at each of the times, in the order requested. Two times may return the same frame.
 * Throws `Failure` `wrong-usage` for a time after the end of the video, and what `sampleFrames` throws.
 */
export async function framesAt(
  video: Video,
  spec: TimesSpec,
  job: JobContext,
): Promise<FrameRef[]> {
  const { times_s, ...look } = parseRequest(TimesSpec, spec, "frames at times");
  const table = await frameTable(video, job);
  for (const t_s of times_s) withinVideo(table, t_s);
  const frames = await sampleFrames(
    video,
    { sampler: "times", times_s, max_area: null, ...look },
    job,
  );
  return times_s.map((t_s) => nearest(frames, table.pts_s[frameAt(table, t_s)] ?? 0));
}

/** Throws `Failure` `wrong-usage` for a time after the end of the video. */
export function withinVideo(table: FrameTable, t_s: number): void {
  if (t_s <= table.end_s) return;
  throw new Failure(
    "wrong-usage",
    `Expected a time within the video, which ends at ${table.end_s.toFixed(1)} s (${clock(table.end_s)}), got ${t_s} s.`,
    { t_s, end_s: table.end_s },
  );
}

function nearest(frames: readonly FrameRef[], t_s: number): FrameRef {
  return frames.reduce((best, frame) =>
    Math.abs(frame.t_s - t_s) < Math.abs(best.t_s - t_s) ? frame : best,
  );
}
