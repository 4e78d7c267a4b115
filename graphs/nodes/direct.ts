import { makeEvidence } from "../../src/core/evidence.ts";
import type { FrameRef } from "../../src/core/shapes.ts";
import { type SampleSpec, sampleFrames } from "../../tools/frames.ts";
import type { GraphContext } from "../context.ts";
import { outcome, type State, type Update } from "../state.ts";
import { outcomeOf } from "./answer.ts";
import { callModel, images, replyOf, withoutWords } from "./call-model.ts";
import { wholeVideoSpec } from "./frames.ts";
import { questionPrompt } from "./wording.ts";

/** The frames that go along with the question: those of the settings, the middle one, or none. */
export async function look(_state: State, context: GraphContext): Promise<Update> {
  const spec = directSpec(context);
  if (spec === null) return {};
  const frames = await sampleFrames(context.video, spec, context.work("look"));
  return { frames, evidence: frames.map(frameEvidence) };
}

function directSpec({ settings }: GraphContext): SampleSpec | null {
  if (settings.strategy === "blind") return null;
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
  const result = await callModel(context, {
    stage: "ask",
    role: "reasoner",
    label: "answer directly",
    prompts: [questionPrompt(question, wording, settings.reasoning.cot, prompts)],
    media: images(state.frames),
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
