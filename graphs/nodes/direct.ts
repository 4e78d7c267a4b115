import { makeEvidence } from "../../src/core/evidence.ts";
import type { FrameRef } from "../../src/core/shapes.ts";
import { type SampleSpec, sampleFrames } from "../../tools/frames.ts";
import type { GraphContext } from "../context.ts";
import { outcome, type State, type Update } from "../state.ts";
import { outcomeOf } from "./answer.ts";
import { callModel, images, replyOf, withoutWords } from "./call-model.ts";
import { wholeVideoSpec } from "./frames.ts";
import { subtitlePrompt, subtitlesFor } from "./subtitles.ts";
import { type WholeMedium, wholeSound, wholeVideoFile } from "./whole-media.ts";
import { questionPrompt } from "./wording.ts";

const STAGE = "look";

/** What goes along with the question: frames (those of the settings, the middle one, or none) or the file; sound; subtitles. */
export async function look({ question }: State, context: GraphContext): Promise<Update> {
  const { strategy, recognition } = context.settings;
  if (strategy === "blind") return {};
  const sendsFile = recognition.media === "video";
  const frames = sendsFile
    ? []
    : await sampleFrames(context.video, specOf(context), context.work(STAGE));
  const media: WholeMedium[] = [];
  if (sendsFile) media.push(await wholeVideoFile(context, STAGE));
  if (recognition.audio) media.push(await wholeSound(context, STAGE));
  const { evidence, text } = await subtitlesFor(question, frames, context, STAGE);
  return { frames, media, subtitles: text, evidence: [...frames.map(frameEvidence), ...evidence] };
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

/** Frames and question in one call. */
export async function askDirectly(state: State, context: GraphContext): Promise<Update> {
  const { question } = state;
  const { settings, wording, prompts } = context;
  const asked = questionPrompt(question, wording, settings.reasoning.cot, prompts);
  const result = await callModel(context, {
    stage: "ask",
    role: "reasoner",
    label: "answer directly",
    prompts: state.subtitles === null ? [asked] : [subtitlePrompt(state.subtitles, context), asked],
    media: [...images(state.frames), ...state.media],
    textFirst: wording === "mmr-v",
  });
  const reply = replyOf(result);
  const problem = withoutWords(result);
  if (problem !== null || result.status === "limit")
    return { outcome: outcome({ ...(problem ?? { status: "not-answered" }), reply }) };
  const found = outcomeOf(question, result.reply);
  const cites = found.status === "answered" ? state.evidence.map((item) => item.id) : [];
  return { outcome: { ...found, reply, cites } };
}
