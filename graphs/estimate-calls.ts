import { resolveSettings, type Settings, videoSampling } from "../src/core/settings.ts";
import type { Task } from "../src/core/shapes.ts";
import type { Probe } from "../src/media/probe.ts";
import { mediaTokens } from "../src/models/media-tokens.ts";
import { nameOf, parseModelName } from "../src/models/name.ts";
import { costOf, type Prices } from "../src/models/prices.ts";
import type { PlannedStage } from "./planned-stages.ts";

/** Calls, tokens and dollars of the planned stages of one question, without retries and tool calls. */
export interface CallEstimate {
  calls: number;
  /** The number of calls is exact. */
  exact: boolean;
  /** It is an upper bound. */
  bound: boolean;
  /** Of the stages after recognition. */
  reasoningCalls: number;
  frames: number;
  video_s: number;
  sound_s: number;
  /** Models whose tokens for video or sound are not documented; the tokens leave these out. */
  notForeseen: string[];
  input: number;
  outputMost: number;
  /** Dollars; null if a model has no price. `about` assumes replies of `USUAL_TOKENS`. */
  about: number | null;
  most: number | null;
}

/** Tokens of a prompt without pictures, and of a reply without and with reasoning. */
const PROMPT_TOKENS = 300;
const USUAL_TOKENS = { plain: 60, reasoned: 500 };
/** Pixels per token of a frame; approximate, as in the budget. */
const PIXELS_A_TOKEN = 750;

const RECOGNISING: readonly PlannedStage["stage"][] = ["segment", "caption", "text"];

/** Whether a stage describes the video, so that its result serves other questions. */
export function isRecognition({ stage }: Pick<PlannedStage, "stage">): boolean {
  return RECOGNISING.includes(stage);
}

/** Adds up the planned stages of a question of this task on a video; `probe` undefined: the video is not known. */
export function estimateCalls(
  stages: readonly PlannedStage[],
  { settings, task, probe }: { settings: Settings; task: Task; probe: Probe | undefined },
  prices: Prices,
): CallEstimate {
  const frameTokens = pixelsOf(probe, settings) / PIXELS_A_TOKEN;
  const usual = settings.reasoning.cot ? USUAL_TOKENS.reasoned : USUAL_TOKENS.plain;
  const { calls: limit } = resolveSettings(settings, task).budget;
  const estimate: CallEstimate = {
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
  for (const planned of stages) {
    const { stage, calls, exact, frames, video_s, sound_s } = planned;
    const recognises = isRecognition(planned);
    const name = nameOf(settings, recognises ? "recogniser" : "reasoner") ?? "";
    const media = tokensOfMedia(name, { video_s, sound_s }, settings);
    // Without the tokens of the media, the cost would be misleading.
    const price = media === null ? undefined : prices[name];
    if (media === null) estimate.notForeseen.push(name);
    const input = Math.ceil(calls * PROMPT_TOKENS + frames * frameTokens) + (media ?? 0);
    const most = calls * settings.reasoning.max_tokens;
    const about = calls * Math.min(settings.reasoning.max_tokens, usual);
    estimate.calls += calls;
    estimate.exact &&= exact;
    estimate.bound &&= stage === "ask" || limit !== null;
    estimate.reasoningCalls += recognises ? 0 : stage === "search" ? 1 : calls;
    estimate.frames += frames;
    estimate.video_s += video_s ?? 0;
    estimate.sound_s += sound_s ?? 0;
    estimate.input += input;
    estimate.outputMost += most;
    estimate.about = added(estimate.about, costOf(price, { input, output: about }));
    estimate.most = added(estimate.most, costOf(price, { input, output: most }));
  }
  if (limit !== null && estimate.calls > limit) {
    estimate.calls = limit;
    estimate.exact = false;
  }
  return estimate;
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

/** The sum; null if either is not known. */
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
