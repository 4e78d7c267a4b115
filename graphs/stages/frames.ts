import { type Settings, windowSeconds } from "../../src/core/settings.ts";
import type { FrameRef } from "../../src/core/shapes.ts";
import { clock } from "../../src/core/time.ts";
import { frameAt } from "../../src/media/frame-table.ts";
import type { Part } from "../../src/models/chat.ts";
import { checkFrames } from "../../tools/video/check-frames.ts";
import { type SampleSpec, sampleEach, sampleFrames } from "../../tools/video/frames.ts";
import { chooseFrames } from "../../tools/video/samplers.ts";
import { frameTable } from "../../tools/video/video.ts";
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
  if (windowSeconds(settings) !== null) return byWindow(context, stage, segments, wanted);
  const frames = await sampleEach(video, wanted, context.job(stage));
  return specs.map((spec) => (spec === null ? [] : (frames.shift() ?? [])));
}

/** The same for fixed windows, of which there may be many: their frames are decoded together. */
async function byWindow(
  { video, settings, job }: GraphContext,
  stage: string,
  windows: readonly Segment[],
  specs: readonly SampleSpec[],
): Promise<FrameRef[][]> {
  const table = await frameTable(video, job(stage));
  const timeOf = (frame: number) => table.pts_s[frame] ?? 0;
  const times_s = specs.flatMap((spec) => chooseFrames(spec, table).map(timeOf));
  const spec: SampleSpec = { ...wholeVideoSpec(settings), sampler: "times", times_s };
  const frames = await sampleFrames(video, spec, job(stage));
  // In a damaged video an earlier frame may take the place of one that cannot be decoded. It stays in its own window.
  return windows.map(({ start_s, end_s }) =>
    frames.filter(({ t_s }) => {
      const begin_s = timeOf(frameAt(table, t_s));
      return begin_s >= start_s && begin_s < end_s;
    }),
  );
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

function headingOf(word: "Clip" | "Part", { number, start_s, end_s, tenths }: Segment): string {
  const at = tenths ? clockTenths : clock;
  const time = word === "Part" ? ` (${at(start_s)} to ${at(end_s)})` : "";
  return `${word} ${number}${time}:`;
}

/** `01:10.5`, rounded down. */
function clockTenths(seconds: number): string {
  const whole = Math.floor(seconds * 10 + 0.01);
  return `${clock(whole / 10)}.${whole % 10}`;
}

/** The times of all parts, for a model that is shown the whole video. */
export function listedParts(segments: readonly Segment[]): Part {
  const lines = segments.map((segment) => headingOf("Part", segment).replace(/:$/, ""));
  return { type: "text", text: `Parts of this video:\n${lines.join("\n")}` };
}
