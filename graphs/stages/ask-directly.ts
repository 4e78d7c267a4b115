import { makeEvidence } from "../../src/core/evidence.ts";
import type { Settings } from "../../src/core/settings.ts";
import type { FrameRef } from "../../src/core/shapes.ts";
import type { Medium, Part } from "../../src/models/chat.ts";
import { type SampleSpec, sampleFrames } from "../../tools/video/frames.ts";
import { isTextFirst } from "../answer-prompts.ts";
import type { GraphContext } from "../context.ts";
import type { Shows } from "../define-strategy.ts";
import { outcome, type State, type Update } from "../state.ts";
import { outcomeOf } from "./answer.ts";
import { callModel, images, saidBy, withoutWords } from "./call-model.ts";
import { bySegment, framesToSend, underHeadings, wholeVideoSpec } from "./frames.ts";
import { mediaBySegment } from "./native-media.ts";
import { segment } from "./segment.ts";
import { subtitlePrompt, subtitlesFor } from "./subtitles.ts";
import { wholeFile, wholeSound } from "./whole-media.ts";
import { questionPrompt } from "./wording.ts";

const STAGE = "look";

/**
 * The stage that finds what the call shows in addition to the question: frames (those of the settings, of each clip, or
 * the middle one), or the video (its file, or cut to clips); sound; subtitles. Nothing for a control without the video.
 */
export function lookAt(shows: Shows) {
  return async (state: State, context: GraphContext): Promise<Update> =>
    shows === "nothing" ? {} : look(state, context, specOf(shows, context));
}

async function look(state: State, context: GraphContext, spec: SampleSpec): Promise<Update> {
  const { question } = state;
  const { recognition } = context.settings;
  const sendsVideo = recognition.media === "video";
  const parts = recognition.input === "clip" ? await segment(state, context) : {};
  if (parts.outcome != null) return parts;
  const { segments = [] } = parts;
  const frames = sendsVideo
    ? []
    : segments.length > 0
      ? (await bySegment(context, STAGE, segments)).flat()
      : await framesToSend(context, STAGE, spec);
  const media: Medium[] = [];
  const sendsClips = sendsVideo && segments.length > 0;
  if (sendsVideo && !sendsClips) media.push(await wholeFile(context, STAGE, "reasoner"));
  if (recognition.audio && !sendsClips) media.push(await wholeSound(context, STAGE, "reasoner"));
  const times = sendsVideo ? await framesOfSubtitles(context, spec) : frames;
  const { evidence, text } = await subtitlesFor(question, times, context, STAGE);
  return {
    segments,
    frames,
    media,
    subtitles: text,
    evidence: [...frames.map(frameEvidence), ...evidence],
  };
}

/** The frames that `aligned` subtitles go by if the video is sent and no frames are. */
async function framesOfSubtitles(context: GraphContext, spec: SampleSpec): Promise<FrameRef[]> {
  if (context.settings.recognition.subtitles !== "aligned") return [];
  return sampleFrames(context.video, spec, context.job(STAGE));
}

function specOf(shows: Shows, { settings }: GraphContext): SampleSpec {
  const spec = wholeVideoSpec(settings);
  return shows === "one-frame" ? { ...spec, sampler: "midpoints", n: 1 } : spec;
}

function frameEvidence(frame: FrameRef) {
  return makeEvidence({
    video: frame.video,
    kind: "frame",
    start_s: frame.t_s,
    end_s: frame.t_s,
    text: "",
    frame,
    by: { who: "tool", name: "sampleFrames" },
    confidence: null,
    from: [],
  });
}

/** What is shown of each clip; the sound of frames is sent as a whole. */
async function ofEachClip({ segments }: State, context: GraphContext): Promise<Part[][]> {
  if (context.settings.recognition.media === "video")
    return mediaBySegment(context, "ask", "reasoner", segments);
  return (await bySegment(context, "ask", segments)).map(images);
}

function shownFrames({ frames }: State, { recognition }: Pick<Settings, "recognition">): Part[] {
  if (recognition.frame_labels === "off") return images(frames);
  return frames.flatMap((frame, index): Part[] => [
    { type: "text", text: `Frame${index + 1}: ` },
    ...images([frame]),
  ]);
}

/** Frames, or the video, and question in one call. */
export async function askDirectly(state: State, context: GraphContext): Promise<Update> {
  if (state.outcome !== null) return {};
  const { question } = state;
  const { settings, wording, prompts } = context;
  // Kept, so that this only reads them again.
  const parted = await ofEachClip(state, context);
  const word = state.segments[0]?.kind === "clip" ? "Clip" : "Part";
  const asked = questionPrompt(question, wording, settings.reasoning.cot, prompts);
  const result = await callModel(context, {
    stage: "ask",
    role: "reasoner",
    label: "answer directly",
    evidence: state.evidence.filter(({ kind }) => kind !== "frame").map(({ id }) => id),
    prompts: state.subtitles === null ? [asked] : [subtitlePrompt(state.subtitles, context), asked],
    media: [
      ...(parted.length > 0
        ? underHeadings(word, state.segments, parted)
        : shownFrames(state, settings)),
      ...state.media,
    ],
    textFirst: isTextFirst(settings, wording),
  });
  const said = saidBy(result);
  const problem = withoutWords(result);
  if (problem !== null || result.status === "limit")
    return { outcome: outcome({ ...(problem ?? { status: "not-answered" }), ...said }) };
  const found = outcomeOf(question, result.reply);
  const cites = found.status === "answered" ? state.evidence.map((item) => item.id) : [];
  return { outcome: { ...found, ...said, cites } };
}
