import type { Rendered } from "../../prompts/load-prompts.ts";
import type { Role } from "../../src/core/events.ts";
import type { Spend } from "../../src/core/ledger.ts";
import { type Settings, type VideoSampling, videoSampling } from "../../src/core/settings.ts";
import type { FrameRef } from "../../src/core/shapes.ts";
import type { Call, CallResult, Part } from "../../src/models/chat.ts";
import type { GraphContext } from "../context.ts";
import type { Outcome } from "../state.ts";

/** One user message of a stage. */
export interface StageRequest {
  stage: string;
  role: Role;
  /** For a person: `clip 3`. */
  label: string;
  prompts: readonly Rendered[];
  media?: readonly Part[];
  /** Ids of the evidence whose text is in the prompts. */
  evidence?: readonly string[];
  /** Text before pictures, as in MMR-V's released code. By default text follows pictures. */
  textFirst?: boolean;
  /** Asks for the log-probabilities of the first token, if the server provides them. */
  logprobs?: boolean;
  /** Number of a repeated draw of the same request, from 0. */
  draw?: number;
}

/** One user message: pictures and words. What is sent depends only on its arguments and the settings. */
export function callModel(context: GraphContext, request: StageRequest): Promise<CallResult> {
  return context.models.call(callOf(context, request));
}

/** What a budget reserves for the call. `more`: input tokens that are not in the request yet. */
export function foreseeModel(
  context: GraphContext,
  request: StageRequest,
  more = 0,
): Promise<Spend> {
  return context.models.foresee(callOf(context, request), more);
}

function callOf({ settings, video, epoch }: GraphContext, request: StageRequest): Call {
  const words: Part = {
    type: "text",
    text: request.prompts.map((prompt) => prompt.text).join("\n\n"),
  };
  const media = request.media ?? [];
  const sampling = samplingOf(media, settings);
  return {
    role: request.role,
    stage: request.stage,
    label: request.label,
    prompts: Object.fromEntries(request.prompts.map((prompt) => [prompt.name, prompt.hash])),
    video: video.hash,
    request: {
      messages: [
        { role: "user", parts: request.textFirst ? [words, ...media] : [...media, words] },
      ],
      temperature: settings.reasoning.temperature,
      maxTokens: settings.reasoning.max_tokens,
      ...(request.logprobs === true ? { logprobs: true } : {}),
      ...(sampling === null ? {} : { video: sampling }),
    },
    evidence: request.evidence,
    epoch,
    draw: request.draw,
  };
}

/** How the server is to sample the videos among the media; null if there are none, or nothing was set. */
export function samplingOf(media: readonly Part[], settings: Settings): VideoSampling | null {
  return media.some((part) => part.type === "video") ? videoSampling(settings.recognition) : null;
}

/** Frames as parts of a message. */
export function images(frames: readonly FrameRef[]): Part[] {
  return frames.map((frame) => ({ type: "image", frame }));
}

/** Text and reasoning of a reply, readable or not; empty if no call was made. */
export function replyText(result: CallResult): Pick<Outcome, "reply" | "reasoning"> {
  if (result.status !== "replied") return {};
  const { text: reply, reasoning } = result.reply;
  return reasoning === undefined ? { reply } : { reply, reasoning };
}

/** The outcome of a call without a readable reply; null if its reply has text. */
export function unreadableReply(result: CallResult): Pick<Outcome, "status" | "error"> | null {
  if (result.status === "limit") return { status: "not-answered" };
  const { finish, text, reasoning } = result.reply;
  if (finish === "refused") return { status: "refused" };
  if (text.trim() !== "" && finish !== "broken") return null;
  if (finish === "length") return { status: "truncated" };
  const empty = reasoning === undefined ? "is empty" : "has reasoning but no text";
  const problem = finish === "broken" ? "broke off" : empty;
  return {
    status: "error",
    error: { kind: "model-unusable", message: `The reply of the model ${problem}.` },
  };
}
