import { type Failure, isFailure } from "../../src/core/errors.ts";
import type { CallResult, Message, Part } from "../../src/models/chat.ts";
import { withoutMedia } from "../../src/models/without-media.ts";
import type { GraphContext } from "../context.ts";
import { samplingOf } from "../stages/call-model.ts";
import { offeredTools } from "../toolbox/offered-tools.ts";
import { framesAmong } from "../toolbox/shown-evidence.ts";
import { text } from "../toolbox/tool-results.ts";
import type { Search } from "./state.ts";
import { toolSpecs } from "./tool-specs.ts";

export const STAGE = "search";

export type Turn = { result: CallResult; refused: null } | { result: null; refused: string };

/**
 * Calls the model with the tools of the turn. `refused` says why, if the server or its model supports no tools. The last
 * turn must call `answer`, if the server supports a required call.
 */
export async function callReasoner(
  messages: Message[],
  state: Search,
  ends: boolean,
  context: GraphContext,
): Promise<Turn> {
  const { models, settings, video, epoch, prompts } = context;
  const offered = toolSpecs(ends ? [] : offeredTools(context), context);
  const hashes = offered.prompts.map(({ name, hash }) => [name, hash] as const);
  const parts = messages.flatMap((message) => ("parts" in message ? message.parts : []));
  const sampling = samplingOf(parts, settings);
  const call = (toolChoice: "auto" | "required") =>
    models.call({
      role: "reasoner",
      stage: STAGE,
      label: ends ? `turn ${state.turns + 1}, the last` : `turn ${state.turns + 1}`,
      prompts: { "agent/system": prompts.hashes()["agent/system"], ...Object.fromEntries(hashes) },
      video: video.hash,
      request: {
        messages,
        temperature: settings.reasoning.temperature,
        maxTokens: settings.reasoning.max_tokens,
        tools: offered.tools,
        toolChoice,
        ...(sampling === null ? {} : { video: sampling }),
      },
      shown: state.fresh,
      evidence: [...state.unsent, ...state.shown.slice(state.carried)],
      epoch,
    });
  try {
    if (!ends) return { result: await call("auto"), refused: null };
    const result = await call("required").catch((error: unknown) => {
      if (isAboutTools(error)) return call("auto");
      throw error;
    });
    return { result, refused: null };
  } catch (error) {
    if (hasCalled(messages) || !isAboutTools(error)) throw error;
    return { result: null, refused: error.message };
  }
}

/** Statuses with which servers refuse tools; llama.cpp sends 500. */
const REFUSALS: readonly unknown[] = [400, 404, 405, 422, 500, 501];

/**
 * Whether a server says that it or its model supports no tools: Ollama, vLLM, llama.cpp, LM Studio, Google. A failure
 * with advice is one of a setting that the user can change.
 */
function isAboutTools(error: unknown): error is Failure {
  if (!isFailure(error, "model-rejected") || error.facts.advice !== undefined) return false;
  return (
    REFUSALS.includes(error.facts.status) &&
    /\b(?:tools?|tool[_ ]?(?:calls?|choice)|functions?|function[_ ]?call(?:ing)?)\b/i.test(
      error.message,
    )
  );
}

/** Tokens of the reply to a last call without pictures, made if a budget of tokens or cost allows no call with them. */
const SHORT_REPLY = 512;

export async function lastTurn(
  messages: Message[],
  state: Search,
  context: GraphContext,
): Promise<CallResult> {
  const bare = { ...context, settings: withShortReply(context.settings) };
  const unsent = newFrames(state);
  const { result } = await callReasoner(
    withAnswerRequest(messages, context).map(withoutMedia),
    { ...state, fresh: [], unsent: [], shown: state.shown.filter((id) => !unsent.includes(id)) },
    true,
    bare,
  );
  return result ?? { status: "limit", limit: "calls" };
}

/** Ids of the frames that were named since the last call: a call without pictures sends none of them. */
export function newFrames({ evidence, shown, carried }: Search): string[] {
  return framesAmong(shown.slice(carried), evidence);
}

function withShortReply(settings: GraphContext["settings"]): GraphContext["settings"] {
  const max_tokens = Math.min(SHORT_REPLY, settings.reasoning.max_tokens);
  return { ...settings, reasoning: { ...settings.reasoning, max_tokens } };
}

/** Whether the model has called any tool so far. */
export function hasCalled(messages: readonly Message[]): boolean {
  return messages.some((message) => message.role === "assistant" && message.toolCalls.length > 0);
}

/** The conversation with words added to its last message, or as a new message if the last is the model's. */
export function withWords(messages: readonly Message[], words: string): Message[] {
  const last = messages.at(-1);
  const part: Part = text(words);
  if (last?.role === "tool" || last?.role === "user")
    return [...messages.slice(0, -1), { ...last, parts: [...last.parts, part] }];
  return [...messages, { role: "user", parts: [part] }];
}

export function withAnswerRequest(
  messages: readonly Message[],
  { prompts }: GraphContext,
): Message[] {
  return withWords(messages, prompts.render("agent/answer-now", {}).text);
}
