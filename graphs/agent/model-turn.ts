import type { ChatReply, Message } from "../../src/models/chat.ts";
import type { GraphContext } from "../context.ts";
import { withoutWords } from "../stages/call-model.ts";
import { outcome } from "../state.ts";
import { ANSWER } from "./answer-call.ts";
import { hasCalled, lastTurn, said, toldToAnswer, turn } from "./call-reasoner.ts";
import { fallbackDiagnostics, noteFallback } from "./fallback.ts";
import { claimFromWords } from "./read-answer.ts";
import type { Search, SearchUpdate, SentBack } from "./state.ts";
import { whetherLast } from "./turn-budget.ts";

/**
 * One turn of the model: what to look at next, or the answer. When a budget allows no further turn after this one, or
 * the turns are used up, nothing but `answer` is offered.
 */
export async function modelTurn(state: Search, context: GraphContext): Promise<SearchUpdate> {
  const last = whetherLast(state, context);
  const messages = last.ends ? toldToAnswer(state.messages, context) : state.messages;
  const { result: found, refused } = await turn(messages, state, last.ends, context).finally(
    last.release,
  );
  if (refused !== null) return handOver(refused, context);
  const tooLarge = found.status === "limit" && (found.limit === "tokens" || found.limit === "cost");
  const result = tooLarge ? await lastTurn(state.messages, state, context) : found;
  if (result.status === "limit") return { spent: result.limit, next: "conclude" };
  const { reply } = result;
  const ends = last.ends || tooLarge;
  const problem = withoutWords(result);
  const before = {
    messages,
    turns: state.turns + 1,
    fresh: [],
    carried: state.shown.length,
    sizes: [...state.sizes, reply.tokens.input],
    spent: last.limit ?? state.spent,
  };
  const { toolCalls } = reply;
  if (toolCalls.length > 0) {
    const next = [...messages, turnOf(reply)];
    const answers = toolCalls.some((call) => call.name === ANSWER);
    // Where nothing but `answer` was offered, other calls are not carried out; what is held back asks for it once more.
    return { ...before, messages: next, next: answers || ends ? "check" : "tools" };
  }
  if (problem?.status === "refused")
    return {
      ...before,
      outcome: outcome(problem),
      next: "conclude",
    };
  return withoutCall(reply, { ...before, ends }, state, context);
}

/** The reply as a turn of the conversation, with what the provider wants back of it. */
function turnOf({ text, toolCalls, own }: ChatReply): Message {
  return { role: "assistant", text, toolCalls, ...(own === undefined ? {} : { own }) };
}

const NO_CALLS = "The model made no tool call, though it was offered tools and told to use them.";

/** A reply in plain words: an answer where it can be read as one, after the model was told once to call a tool. */
function withoutCall(
  reply: ChatReply,
  { ends, ...before }: SearchUpdate & { messages: Message[]; ends: boolean },
  state: Search,
  context: GraphContext,
): SearchUpdate {
  const words = reply.text;
  // An empty turn of its own is refused by some servers.
  const turns: Message[] = words.trim() === "" ? [] : [turnOf(reply)];
  const messages = [...before.messages, ...turns];
  const told = state.sentBack.includes("no call");
  const called = hasCalled(state.messages);
  const readable = claimFromWords(words, state.question) !== null;
  if (readable && (called || ends)) return { ...before, messages, next: "check" };
  if (told && !called) return { ...before, ...handOver(NO_CALLS, context) };
  if (ends || told) return { ...before, messages, next: "conclude" };
  const reminder = context.prompts.render("agent/call-a-tool", {}).text;
  const sentBack: SentBack[] = [...state.sentBack, "no call"];
  return { ...before, messages: said(messages, reminder), sentBack, next: "turn" };
}

function handOver(why: string, context: GraphContext): SearchUpdate {
  noteFallback(why, context);
  return { diagnostics: fallbackDiagnostics(why), next: "fallback" };
}
