import { makeEvidence } from "../../src/core/evidence.ts";
import type { Settings } from "../../src/core/settings.ts";
import type { FrameRef } from "../../src/core/shapes.ts";
import type { Medium, Part } from "../../src/models/chat.ts";
import { type SampleSpec, sampleFrames } from "../../tools/video/frames.ts";
import type { GraphContext } from "../context.ts";
import type { Shows } from "../define-strategy.ts";
import type { State, Update } from "../state.ts";
import { outcomeOfCall } from "./answer.ts";
import { callModel, images } from "./call-model.ts";
import { bySegment, framesToSend, underHeadings, wholeVideoSpec } from "./frames.ts";
import { mediaBySegment } from "./native-media.ts";
import { requirePictures } from "./pictures.ts";
import { questionPrompt } from "./question-prompts.ts";
import { segment } from "./segment.ts";
import { subtitlePrompt, subtitlesFor } from "./subtitles.ts";
import { wholeFile, wholeSound } from "./whole-media.ts";

const STAGE = "look";

/**
 * The stage that selects the media of the call: frames (as set, of each clip, or the middle one) or the video (its
 * file, or cut into clips), sound, and subtitles.
 */
export function lookAt(shows: Exclude<Shows, "nothing">) {
  return (state: State, context: GraphContext): Promise<Update> =>
    look(state, context, specOf(shows, context));
}

async function look(state: State, context: GraphContext, spec: SampleSpec): Promise<Update> {
  const { question } = state;
  const { recognition } = context.settings;
  const sendsVideo = recognition.media === "video";
  const sendsOnlySound = recognition.audio && !sendsVideo && context.video.probe.video === null;
  if (!sendsOnlySound) requirePictures(context);
  const segmented =
    recognition.input === "clip" && !sendsOnlySound ? await segment(state, context) : {};
  if (segmented.outcome != null) return segmented;
  const { segments = [] } = segmented;
  const frames =
    sendsVideo || sendsOnlySound
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

/** The frames whose times select `aligned` subtitles if the video is sent instead of frames. */
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

/** The media of each clip. With frames, the sound is sent once for the whole video. */
async function mediaByClip({ segments }: State, context: GraphContext): Promise<Part[][]> {
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
  // The stage `look` stored these frames, so that they are only read here.
  const clipMedia = await mediaByClip(state, context);
  const word = state.segments[0]?.kind === "clip" ? "Clip" : "Part";
  const asked = questionPrompt(question, wording, settings.reasoning.cot, prompts);
  const result = await callModel(context, {
    stage: "ask",
    role: "reasoner",
    label: "answer directly",
    evidence: state.evidence.filter(({ kind }) => kind !== "frame").map(({ id }) => id),
    prompts: state.subtitles === null ? [asked] : [subtitlePrompt(state.subtitles, context), asked],
    media: [
      ...(clipMedia.length > 0
        ? underHeadings(word, state.segments, clipMedia)
        : shownFrames(state, settings)),
      ...state.media,
    ],
    textFirst: settings.recognition.message_order === "text-first",
  });
  const found = outcomeOfCall(question, result);
  const cites = found.status === "answered" ? state.evidence.map((item) => item.id) : [];
  return { outcome: { ...found, cites } };
}
