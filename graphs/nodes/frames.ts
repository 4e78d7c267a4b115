import type { Settings } from "../../src/core/settings.ts";
import type { FrameRef } from "../../src/core/shapes.ts";
import { clock } from "../../src/core/time.ts";
import type { Part } from "../../src/models/chat.ts";
import { type SampleSpec, sampleFrames } from "../../tools/frames.ts";
import type { GraphContext } from "../context.ts";
import type { Segment } from "../state.ts";
import { images } from "./call-model.ts";

/** The fewest frames that show an action. */
export const LEAST_FRAMES = 4;

/** Frames of the whole video, as the settings ask for them. */
export function wholeVideoSpec({ recognition }: Settings): SampleSpec {
  const { sampler, frames, fps, max_side, max_area, quality } = recognition;
  return { sampler, n: frames, fps, max_side, max_area, quality };
}

/**
 * The even share of the video's frames that the segment at a place (from 0) gets, at least `LEAST_FRAMES`; what is left
 * over goes to the first ones, so that all together get as many as the whole video would. Both ends are drawn in by up
 * to 0.2 s, so that no frame of a fading title card comes along.
 */
export function segmentSpec(
  settings: Settings,
  segment: Segment,
  { place, of }: { place: number; of: number },
): SampleSpec {
  const { frames } = settings.recognition;
  const share = Math.floor(frames / of) + (place < frames % of ? 1 : 0);
  const length = segment.end_s - segment.start_s;
  const margin = segment.kind === "clip" ? Math.min(0.2, length / 10) : 0;
  return {
    ...wholeVideoSpec(settings),
    n: Math.max(LEAST_FRAMES, share),
    from_s: segment.start_s + margin,
    to_s: segment.end_s - margin,
  };
}

export function wholeVideo(context: GraphContext, stage: string): Promise<FrameRef[]> {
  return sampleFrames(context.video, wholeVideoSpec(context.settings), context.work(stage));
}

/** One list a segment, in their order; a segment without a picture has none. */
export async function bySegment(
  context: GraphContext,
  stage: string,
  segments: readonly Segment[],
): Promise<FrameRef[][]> {
  const frames: FrameRef[][] = [];
  for (const [place, segment] of segments.entries()) {
    const spec = segmentSpec(context.settings, segment, { place, of: segments.length });
    const empty = segment.end_s <= segment.start_s;
    frames.push(empty ? [] : await sampleFrames(context.video, spec, context.work(stage)));
  }
  return frames;
}

/**
 * The frames of each segment behind `Clip 3:` or `Part 3 (00:20 to 00:30):`. A shuffled clip goes without its time,
 * which would tell its place in the video as if that meant something.
 */
export function underHeadings(
  word: "Clip" | "Part",
  segments: readonly Segment[],
  frames: readonly FrameRef[][],
): Part[] {
  return segments.flatMap((segment, index): Part[] => {
    const time = `${clock(segment.start_s)} to ${clock(segment.end_s)}`;
    const heading = `${word} ${segment.number}${word === "Part" ? ` (${time})` : ""}:`;
    return [{ type: "text", text: heading }, ...images(frames[index] ?? [])];
  });
}
