import { type Failure, isFailure } from "../../../src/core/errors.ts";
import type { Limit } from "../../../src/core/shapes.ts";
import type { CallResult, Message, Part } from "../../../src/models/chat.ts";
import type { GraphContext } from "../../context.ts";
import type { Search, SearchUpdate, SentBack } from "../../search-state.ts";
import { withoutWords } from "../call-model.ts";
import { draftFromWords } from "./draft.ts";
import { offer, toolsFor } from "./offer.ts";
import { text } from "./results.ts";

const STAGE = "search";

/** The same call made so often ends the search. */
const MOST_REPEATED = 3;
/** Turns that an answer which was sent back may take on top. */
const TURNS_AFTER_CONTRADICTION = 2;

/**
 * One turn of the model: what to look at next, or the answer. When a budget allows no further turn after this one, or
 * the turns are used up, nothing but `answer` is offered.
 */
export async function think(state: Search, context: GraphContext): Promise<SearchUpdate> {
  const last = whyLast(state, context);
  const messages = last.ends
    ? said(state.messages, context.prompts.render("agent/answer-now", {}).text)
    : state.messages;
  const { result, refused } = await turn(messages, state, last.ends, context);
  last.release();
  if (refused !== null) return handOver(refused, context);
  if (result.status === "limit") return { spent: result.limit, next: "conclude" };
  const { reply } = result;
  const problem = withoutWords(result);
  const before = { messages, turns: state.turns + 1, fresh: [], spent: last.limit ?? state.spent };
  const { toolCalls } = reply;
  if (toolCalls.length > 0) {
    const next = [...messages, { role: "assistant", text: reply.text, toolCalls } as const];
    const answers = toolCalls.some((call) => call.name === "answer");
    // Where nothing but `answer` was offered, other calls are not carried out.
    if (!answers && last.ends) return { ...before, messages: next, next: "conclude" };
    return { ...before, messages: next, next: answers ? "check" : "act" };
  }
  if (problem?.status === "refused")
    return {
      ...before,
      outcome: { ...problem, answer: null, cites: [], cited_by: "code" },
      next: "conclude",
    };
  return withoutCall(reply.text, { ...before, ends: last.ends }, state, context);
}

/** A reply in plain words: an answer where it can be read as one, after the model was told once to call a tool. */
function withoutCall(
  words: string,
  { ends, ...before }: SearchUpdate & { messages: Message[]; ends: boolean },
  state: Search,
  context: GraphContext,
): SearchUpdate {
  // An empty turn of its own is refused by some servers.
  const turns: Message[] =
    words.trim() === "" ? [] : [{ role: "assistant", text: words, toolCalls: [] }];
  const messages = [...before.messages, ...turns];
  const told = state.sentBack.includes("no call");
  const called = hasCalled(state.messages);
  if (told && !called)
    return {
      ...before,
      ...handOver(
        "The model made no tool call, though it was offered tools and told to use them.",
        context,
      ),
    };
  const draft = called ? draftFromWords(words, state, context) : null;
  if (draft !== null) return { ...before, messages, draft, next: "check" };
  if (ends || told) return { ...before, messages, next: "conclude" };
  const reminder = context.prompts.render("agent/call-a-tool", {}).text;
  const sentBack: SentBack[] = [...state.sentBack, "no call"];
  return { ...before, messages: said(messages, reminder), sentBack, next: "think" };
}

export function hasCalled(messages: readonly Message[]): boolean {
  return messages.some((message) => message.role === "assistant" && message.toolCalls.length > 0);
}

/** Whether this turn has to be the last, and the limit that makes it so. What is held back is given free by `release`. */
function whyLast(
  state: Search,
  { ledger, settings }: GraphContext,
): { ends: boolean; limit: Limit | null; release(): void } {
  const turns =
    settings.search.steps +
    (state.sentBack.includes("contradicted") ? TURNS_AFTER_CONTRADICTION : 0);
  const free = { release: () => undefined, limit: null };
  if (state.spent !== null || state.turns >= turns || state.repeated >= MOST_REPEATED)
    return { ...free, ends: true };
  // The next turn repeats this conversation; what turns cost so far tells what one costs.
  const { calls, tokens, cost } = ledger.spent();
  const each = {
    frames: 0,
    tokens: Math.ceil(tokens / Math.max(1, calls)) + settings.reasoning.max_tokens,
    cost: cost === null ? null : cost / Math.max(1, calls),
  };
  const after = 1 + (settings.search.verify ? 1 : 0);
  const both = ledger.reserve({
    calls: 1 + after,
    frames: 0,
    tokens: 2 * each.tokens,
    cost: each.cost === null ? null : 2 * each.cost,
  });
  if ("refused" in both) return { ...free, ends: true, limit: both.refused };
  both.release();
  const held = ledger.reserve({ calls: after, ...each });
  if ("refused" in held) return { ...free, ends: true, limit: held.refused };
  return { ends: false, limit: null, release: () => held.release() };
}

/** The call itself, and why it was refused where the server or its model knows no tools. */
async function turn(
  messages: Message[],
  state: Search,
  ends: boolean,
  context: GraphContext,
): Promise<{ result: CallResult; refused: null } | { result: null; refused: string }> {
  const { models, settings, video, epoch, prompts } = context;
  const tools = ends ? [] : toolsFor(context);
  const offered = offer(tools, context);
  const system = prompts.hashes()["agent/system"];
  try {
    const result = await models.call({
      role: "reasoner",
      stage: STAGE,
      label: ends ? `turn ${state.turns + 1}, the last` : `turn ${state.turns + 1}`,
      prompts: {
        "agent/system": system,
        ...Object.fromEntries(offered.prompts.map(({ name, hash }) => [name, hash])),
      },
      video: video.hash,
      request: {
        messages,
        temperature: settings.reasoning.temperature,
        maxTokens: settings.reasoning.max_tokens,
        tools: offered.tools,
        toolChoice: "auto",
      },
      shown: state.fresh,
      epoch,
    });
    return { result, refused: null };
  } catch (error) {
    if (hasCalled(messages) || !isAboutTools(error)) throw error;
    return { result: null, refused: error.message };
  }
}

/** What servers say of a model, or of themselves, that knows no tools: Ollama, vLLM, llama.cpp, LM Studio, Google. */
function isAboutTools(error: unknown): error is Failure {
  if (!isFailure(error, "model-rejected")) return false;
  const { status } = error.facts;
  const refuses =
    status === 400 || status === 404 || status === 405 || status === 422 || status === 501;
  return (
    refuses &&
    /\b(?:tools?|tool[_ ]?(?:calls?|choice)|functions?|function[_ ]?call(?:ing)?)\b/i.test(
      error.message,
    )
  );
}

function handOver(why: string, context: GraphContext): SearchUpdate {
  context.emit(STAGE, { type: "note", text: `The strategy rrd takes over: ${why}` });
  return { diagnostics: { handed_over: "rrd", why_handed_over: why }, next: "hand over" };
}

/** The conversation with some words of ours at its end: behind the last result of a tool, or as a message of their own. */
export function said(messages: readonly Message[], words: string): Message[] {
  const last = messages.at(-1);
  const part: Part = text(words);
  if (last?.role === "tool" || last?.role === "user")
    return [...messages.slice(0, -1), { ...last, parts: [...last.parts, part] }];
  return [...messages, { role: "user", parts: [part] }];
}
