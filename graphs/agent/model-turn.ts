import type { ChatReply, Message } from "../../src/models/chat.ts";
import type { GraphContext } from "../context.ts";
import { unreadableReply } from "../stages/call-model.ts";
import { outcome } from "../state.ts";
import { ANSWER } from "./answer-call.ts";
import {
  callReasoner,
  hasCalled,
  lastTurn,
  newFrames,
  withAnswerRequest,
  withWords,
} from "./call-reasoner.ts";
import { fallbackDiagnostics, noteFallback } from "./fallback.ts";
import { claimFromWords } from "./read-answer.ts";
import type { RetryReason, Search, SearchUpdate } from "./state.ts";
import { reserveAnswer } from "./turn-budget.ts";

/**
 * One turn of the model: tool calls, or the answer. Only `answer` is offered if the budget or the number of turns allows
 * no turn after this one.
 */
export async function modelTurn(state: Search, context: GraphContext): Promise<SearchUpdate> {
  const last = reserveAnswer(state, context);
  const messages = last.ends ? withAnswerRequest(state.messages, context) : state.messages;
  const { result: found, refused } = await callReasoner(
    messages,
    state,
    last.ends,
    context,
  ).finally(last.release);
  if (refused !== null) return fallBackUpdate(refused, context);
  const tooLarge = found.status === "limit" && (found.limit === "tokens" || found.limit === "cost");
  const result = tooLarge ? await lastTurn(state.messages, state, context) : found;
  if (result.status === "limit") return { spent: result.limit, next: "conclude" };
  const { reply } = result;
  const ends = last.ends || tooLarge;
  const problem = unreadableReply(result);
  const before = {
    messages,
    turns: state.turns + 1,
    ...(tooLarge ? unsentUpdate(state) : { fresh: [], unsent: [] }),
    carried: state.shown.length,
    sizes: [...state.sizes, reply.tokens.input],
    spent: last.limit ?? state.spent,
  };
  const { toolCalls } = reply;
  if (toolCalls.length > 0) {
    const next = [...messages, turnOf(reply)];
    const answers = toolCalls.some((call) => call.name === ANSWER);
    // If only `answer` was offered, other calls are not run; the reserved call asks for the answer again.
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

/** After a call without pictures, what was to be sent first still is, and the model has seen nothing to describe. */
function unsentUpdate(state: Search): SearchUpdate {
  return { fresh: state.fresh, unsent: [...state.unsent, ...newFrames(state)], pictured: [] };
}

/** The reply as a turn of the conversation, with the content that its provider wants back. */
function turnOf({ text, toolCalls, own }: ChatReply): Message {
  return { role: "assistant", text, toolCalls, ...(own === undefined ? {} : { own }) };
}

const NO_CALLS =
  "The model made no tool call, though it was offered tools and reminded to use them.";

/** A reply without a call. The model is reminded once to call a tool; after that, words are read as an answer. */
function withoutCall(
  reply: ChatReply,
  { ends, ...before }: SearchUpdate & { messages: Message[]; ends: boolean },
  state: Search,
  context: GraphContext,
): SearchUpdate {
  const words = reply.text;
  // Some servers refuse an empty turn of the assistant.
  const turns: Message[] = words.trim() === "" ? [] : [turnOf(reply)];
  const messages = [...before.messages, ...turns];
  const reminded = state.sentBack.includes("no call");
  const called = hasCalled(state.messages);
  const readable = claimFromWords(words, state.question) !== null;
  if (readable && (called || ends)) return { ...before, messages, next: "check" };
  if (reminded && !called) return { ...before, ...fallBackUpdate(NO_CALLS, context) };
  if (ends || reminded) return { ...before, messages, next: "conclude" };
  const reminder = context.prompts.render("agent/call-a-tool", {}).text;
  const sentBack: RetryReason[] = [...state.sentBack, "no call"];
  return { ...before, messages: withWords(messages, reminder), sentBack, next: "turn" };
}

function fallBackUpdate(why: string, context: GraphContext): SearchUpdate {
  noteFallback(why, context);
  return { diagnostics: fallbackDiagnostics(why), next: "fallback" };
}
