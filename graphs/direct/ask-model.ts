import { makeEvidence } from "../../src/core/evidence.ts";
import { recognitionInput, type Settings, subtitleMode } from "../../src/core/settings.ts";
import type { FrameRef, Question } from "../../src/core/shapes.ts";
import type { Medium, Part } from "../../src/models/chat.ts";
import { type SampleSpec, sampleFrames } from "../../tools/video/frames.ts";
import type { GraphContext, Wording } from "../context.ts";
import { outcomeOf } from "../stages/answer.ts";
import { callModel, images, saidBy, withoutWords } from "../stages/call-model.ts";
import { bySegment, framesToSend, underHeadings, wholeVideoSpec } from "../stages/frames.ts";
import { mediaBySegment } from "../stages/native-media.ts";
import { segment } from "../stages/segment.ts";
import { subtitlePrompt, subtitlesFor } from "../stages/subtitles.ts";
import { wholeFile, wholeSound } from "../stages/whole-media.ts";
import { questionPrompt } from "../stages/wording.ts";
import { outcome, type State, type Update } from "../state.ts";

const STAGE = "look";

/**
 * What goes along with the question: frames (those of the settings, of each clip, the middle one, or none), or the video
 * (its file, or cut to clips); sound; subtitles.
 */
export async function look(state: State, context: GraphContext): Promise<Update> {
  const { question } = state;
  const { strategy, recognition } = context.settings;
  if (strategy === "blind") return {};
  const sendsVideo = recognition.media === "video";
  const parts = byClip(context) ? await segment(state, context) : {};
  if (parts.outcome != null) return parts;
  const { segments = [] } = parts;
  const frames = sendsVideo
    ? []
    : segments.length > 0
      ? (await bySegment(context, STAGE, segments)).flat()
      : await framesToSend(context, STAGE, specOf(context));
  const media: Medium[] = [];
  const sendsClips = sendsVideo && segments.length > 0;
  if (sendsVideo && !sendsClips) media.push(await wholeFile(context, STAGE, "reasoner"));
  if (recognition.audio && !sendsClips) media.push(await wholeSound(context, STAGE, "reasoner"));
  const times = sendsVideo ? await framesOfSubtitles(question, context) : frames;
  const { evidence, text } = await subtitlesFor(question, times, context, STAGE);
  return {
    segments,
    frames,
    media,
    subtitles: text,
    evidence: [...frames.map(frameEvidence), ...evidence],
  };
}

/** The frames that `aligned` subtitles go by where the video is sent and no frames are. */
async function framesOfSubtitles(question: Question, context: GraphContext): Promise<FrameRef[]> {
  if (subtitleMode(context.settings, question.task) !== "aligned") return [];
  return sampleFrames(context.video, specOf(context), context.work(STAGE));
}

/** Whether each clip is shown by itself. */
function byClip({ settings }: GraphContext): boolean {
  return settings.strategy === "direct" && recognitionInput(settings) === "clip";
}

function specOf({ settings }: GraphContext): SampleSpec {
  const spec = wholeVideoSpec(settings);
  return settings.strategy === "key-frame" ? { ...spec, sampler: "midpoints", n: 1 } : spec;
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

/** What is shown of each clip; the sound of frames goes along as a whole. */
async function ofEachClip({ segments }: State, context: GraphContext): Promise<Part[][]> {
  if (context.settings.recognition.media === "video")
    return mediaBySegment(context, "ask", "reasoner", segments);
  return (await bySegment(context, "ask", segments)).map(images);
}

function shownFrames({ frames }: State, { recognition }: Settings): Part[] {
  if (recognition.frame_labels === "off") return images(frames);
  return frames.flatMap((frame, index): Part[] => [
    { type: "text", text: `Frame${index + 1}: ` },
    ...images([frame]),
  ]);
}

/** Whether the text of a direct question stands before its frames: where nothing is set, as MMR-V's released code does. */
export function isTextFirst({ recognition }: Settings, wording: Wording): boolean {
  return recognition.message_order === null
    ? wording === "mmr-v"
    : recognition.message_order === "text-first";
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
