import { planChoice, planOrdering } from "../../graphs/plan.ts";
import type { PlannedStage } from "../../graphs/planned-stages.ts";
import { resolveSettings, type Settings, videoSampling } from "../../src/core/settings.ts";
import type { Probe } from "../../src/media/probe.ts";
import { mediaTokens } from "../../src/models/media-tokens.ts";
import { nameOf, parseModelName } from "../../src/models/name.ts";
import { costOf, type Prices } from "../../src/models/prices.ts";
import type { Sample } from "../benchmarks/sample.ts";
import type { EvalSettings } from "./eval-settings.ts";
import { isOverEvidence } from "./gold-arm.ts";
import type { PlannedVideo } from "./planned-videos.ts";

/** Tokens of a prompt without pictures, and of a reply without and with reasoning. */
const PROMPT_TOKENS = 300;
const USUAL_TOKENS = { plain: 60, reasoned: 500 };
/** Pixels per token of a frame; approximate, as in the budget. */
const PIXELS_A_TOKEN = 750;

/** Estimated calls, frames, tokens and cost of one sample. */
export interface SamplePlan {
  calls: number;
  exact: boolean;
  bound: boolean;
  /** Of the stages after recognition. */
  reasoningCalls: number;
  frames: number;
  video_s: number;
  sound_s: number;
  notForeseen: string[];
  input: number;
  outputMost: number;
  about: number | null;
  most: number | null;
}

const RECOGNISING: readonly PlannedStage["stage"][] = ["segment", "caption", "text"];

/** Over given evidence a search is one call. */
const ANSWER_OVER_EVIDENCE = {
  stage: "answer",
  what: "the answer from the evidence",
  calls: 1,
  exact: true,
  frames: 0,
  video_s: 0,
  sound_s: 0,
} as const satisfies PlannedStage;

/** Plans one sample, asked once. */
export function planSample(
  sample: Sample,
  { probe, parts }: Partial<PlannedVideo> = {},
  { settings, descriptions, gold }: EvalSettings,
  prices: Prices,
): SamplePlan {
  const duration_s = probe?.duration_s ?? null;
  const stages =
    sample.task === "order"
      ? planOrdering(settings, sample.answer.length, duration_s)
      : planChoice(settings, duration_s, parts);
  const frameTokens = pixelsOf(probe, settings) / PIXELS_A_TOKEN;
  const usual = settings.reasoning.cot ? USUAL_TOKENS.reasoned : USUAL_TOKENS.plain;
  const plan: SamplePlan = {
    calls: 0,
    exact: true,
    bound: true,
    reasoningCalls: 0,
    frames: 0,
    video_s: 0,
    sound_s: 0,
    notForeseen: [],
    input: 0,
    outputMost: 0,
    about: 0,
    most: 0,
  };
  const { calls: limit } = resolveSettings(settings, sample.task).budget;
  const over = isOverEvidence(gold);
  for (const planned of stages) {
    const recognises = RECOGNISING.includes(planned.stage);
    if (recognises && (descriptions === "gold" || over)) continue;
    const { stage, calls, exact, frames, video_s, sound_s } =
      over && planned.stage === "search" ? ANSWER_OVER_EVIDENCE : planned;
    const role = recognises ? "recogniser" : "reasoner";
    const name = nameOf(settings, role) ?? "";
    const media = tokensOfMedia(name, { video_s, sound_s }, settings);
    // Without the tokens of the media, the cost would be misleading.
    const price = media === null ? undefined : prices[name];
    if (media === null) plan.notForeseen.push(name);
    const input = Math.ceil(calls * PROMPT_TOKENS + frames * frameTokens) + (media ?? 0);
    const most = calls * settings.reasoning.max_tokens;
    const about = calls * Math.min(settings.reasoning.max_tokens, usual);
    plan.calls += calls;
    plan.exact &&= exact;
    plan.bound &&= stage === "ask" || limit !== null;
    plan.reasoningCalls += recognises ? 0 : stage === "search" ? 1 : calls;
    plan.frames += frames;
    plan.video_s += video_s ?? 0;
    plan.sound_s += sound_s ?? 0;
    plan.input += input;
    plan.outputMost += most;
    plan.about = added(plan.about, costOf(price, { input, output: about }));
    plan.most = added(plan.most, costOf(price, { input, output: most }));
  }
  if (limit !== null && plan.calls > limit) {
    plan.calls = limit;
    plan.exact = false;
  }
  return plan;
}

/** Tokens of video and sound; null if the provider does not document them, or the length is not known. */
function tokensOfMedia(
  name: string,
  { video_s, sound_s }: Pick<PlannedStage, "video_s" | "sound_s">,
  { recognition }: Settings,
): number | null {
  if (video_s === 0 && sound_s === 0) return 0;
  if (video_s === null || sound_s === null) return null;
  const { provider } = parseModelName(name);
  const sampling = videoSampling(recognition) ?? {};
  return added(
    video_s === 0 ? 0 : mediaTokens(provider, { type: "video", seconds: video_s }, sampling),
    sound_s === 0 ? 0 : mediaTokens(provider, { type: "audio", seconds: sound_s }),
  );
}

/** The sum; null if a summand is not known. */
export function added(a: number | null, b: number | null): number | null {
  return a === null || b === null ? null : a + b;
}

/** Area in pixels of a frame as sent. */
function pixelsOf(probe: Probe | undefined, { recognition }: Settings): number {
  const { width, height } = probe?.video ?? { width: 1280, height: 720 };
  const { max_side, max_area } = recognition;
  const shrunk = max_side === null ? 1 : Math.min(1, max_side / Math.max(width, height));
  return Math.min(width * height * shrunk ** 2, max_area ?? Number.POSITIVE_INFINITY);
}
