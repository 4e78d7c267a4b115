import type { Settings } from "../../src/core/settings.ts";
import type { FrameRef } from "../../src/core/shapes.ts";
import { clock } from "../../src/core/time.ts";
import type { Part } from "../../src/models/chat.ts";
import { checkFrames } from "../../tools/video/check-frames.ts";
import { type SampleSpec, sampleFrames } from "../../tools/video/frames.ts";
import type { GraphContext } from "../context.ts";
import type { Segment } from "../state.ts";
import { LEAST_FRAMES } from "./picture-limits.ts";

/** Frames of the whole video, as the settings ask for them. */
export function wholeVideoSpec({ recognition }: Pick<Settings, "recognition">): SampleSpec {
  const { sampler, frames, fps, max_side, max_area, quality } = recognition;
  return { sampler, n: frames, fps, max_side, max_area, quality };
}

/**
 * The frames of the segment at index `place` of `of` segments. The frames of the settings are split evenly, at least
 * `LEAST_FRAMES` each; the remainder goes to the first segments. Both ends of a clip are trimmed by up to 0.2 s, so
 * that no frame shows a fading title card.
 */
export function segmentSpec(
  settings: Pick<Settings, "recognition">,
  segment: Segment,
  { place, of }: { place: number; of: number },
): SampleSpec {
  const { frames } = settings.recognition;
  const share = Math.floor(frames / of) + (place < frames % of ? 1 : 0);
  return {
    ...wholeVideoSpec(settings),
    n: Math.max(LEAST_FRAMES, share),
    ...segmentSpan(segment),
  };
}

/** The part of the video that is shown of a segment, in seconds. */
export function segmentSpan({ start_s, end_s, kind }: Segment): { from_s: number; to_s: number } {
  const margin = kind === "clip" ? Math.min(0.2, (end_s - start_s) / 10) : 0;
  return { from_s: start_s + margin, to_s: end_s - margin };
}

export function wholeVideo(context: GraphContext, stage: string): Promise<FrameRef[]> {
  return framesToSend(context, stage, wholeVideoSpec(context.settings));
}

/** Frames of a sample, after a check that one question may send that many. */
export async function framesToSend(
  context: GraphContext,
  stage: string,
  spec: SampleSpec,
): Promise<FrameRef[]> {
  const { video, settings } = context;
  await checkFrames(video, [spec], settings, context.job(stage));
  return sampleFrames(video, spec, context.job(stage));
}

/** One list of frames per segment, in their order; empty for a segment of no length. */
export async function bySegment(
  context: GraphContext,
  stage: string,
  segments: readonly Segment[],
): Promise<FrameRef[][]> {
  const { video, settings } = context;
  const specs = segments.map((segment, place) =>
    segment.end_s <= segment.start_s
      ? null
      : segmentSpec(settings, segment, { place, of: segments.length }),
  );
  const wanted = specs.filter((spec) => spec !== null);
  if (wanted.length > 0) await checkFrames(video, wanted, settings, context.job(stage));
  const frames: FrameRef[][] = [];
  for (const spec of specs)
    frames.push(spec === null ? [] : await sampleFrames(video, spec, context.job(stage)));
  return frames;
}

/** A typical frame of a segment, for a person to see; undefined for a segment of no length. */
export async function middleFrame(
  context: GraphContext,
  stage: string,
  segment: Segment,
): Promise<FrameRef | undefined> {
  const span = segmentSpan(segment);
  if (span.to_s <= span.from_s) return undefined;
  const spec: SampleSpec = {
    ...wholeVideoSpec(context.settings),
    ...span,
    sampler: "midpoints",
    n: 1,
  };
  return (await sampleFrames(context.video, spec, context.job(stage)))[0];
}

/**
 * The media of each segment after the heading `Clip 3:` or `Part 3 (00:20 to 00:30):`. The heading of a shuffled clip
 * has no time, because its place in the video means nothing.
 */
export function underHeadings(
  word: "Clip" | "Part",
  segments: readonly Segment[],
  shown: readonly (readonly Part[])[],
): Part[] {
  return segments.flatMap((segment, index): Part[] => [
    { type: "text", text: headingOf(word, segment) },
    ...(shown[index] ?? []),
  ]);
}

function headingOf(word: "Clip" | "Part", { number, start_s, end_s }: Segment): string {
  const time = word === "Part" ? ` (${clock(start_s)} to ${clock(end_s)})` : "";
  return `${word} ${number}${time}:`;
}

/** The times of all parts, for a model that is shown the whole video. */
export function listedParts(segments: readonly Segment[]): Part {
  const lines = segments.map((segment) => headingOf("Part", segment).replace(/:$/, ""));
  return { type: "text", text: `Parts of this video:\n${lines.join("\n")}` };
}
