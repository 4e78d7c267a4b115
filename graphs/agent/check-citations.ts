import { isFailure } from "../../src/core/errors.ts";
import type { Message } from "../../src/models/chat.ts";
import type { GraphContext } from "../context.ts";
import { citationDiagnostics, citedEvidence } from "../toolbox/cited-evidence.ts";
import { withSeen } from "../toolbox/offered-tools.ts";
import { searchSettings } from "../toolbox/search-settings.ts";
import { seenCaption } from "../toolbox/seen-caption.ts";
import { text } from "../toolbox/tool-results.ts";
import { ANSWER, AnswerParameters, readAnswerCall } from "./answer-call.ts";
import { type Claim, claimFromCall, claimFromWords } from "./read-answer.ts";
import { lastCalls } from "./run-tool-calls.ts";
import type { Draft, RetryReason, Search, SearchUpdate } from "./state.ts";

/**
 * Reads the answer and checks its citations by rule: the evidence exists, was shown in this run, and has a time of the
 * video. If the answer cannot be read, or cites nothing that was shown, the model is asked again, once.
 */
export async function checkCitations(state: Search, context: GraphContext): Promise<SearchUpdate> {
  const calls = lastCalls(state.messages);
  const noted = seenCaption(calls, state, context);
  const claim = claimOf(state);
  if (claim === null) {
    const letters =
      state.question.options?.map((option) => option.letter).join(", ") ?? "none here";
    const words = context.prompts.render("agent/unreadable-answer", { letters }).text;
    return { ...sendBack("unreadable", words, state, context), evidence: noted };
  }
  const { cites, ...wrong } = await citedEvidence(claim.names, state, context);
  const { names: _names, ...rest } = claim;
  const draft: Draft = { ...rest, cites };
  const diagnostics = citationDiagnostics(wrong);
  const citable = citableNames(state);
  const bare = cites.length === 0 && draft.answer !== null && citable !== null;
  if (bare && mayRetry("uncited", state, context)) {
    const words = context.prompts.render("agent/uncited", { names: citable }).text;
    const back = sendBack("uncited", words, state, context);
    // The verdict on an earlier draft does not apply to this one.
    return { ...back, draft, support: null, diagnostics, evidence: noted };
  }
  return { draft, diagnostics, evidence: noted, next: nextAfter(draft, state, context) };
}

/** The names that an answer may cite, in words; null if there are none. */
function citableNames({ shown, unsent }: Search): string | null {
  if (unsent.length === 0) return shown.length === 0 ? null : `E1 to E${shown.length}`;
  const names = shown.flatMap((id, place) => (unsent.includes(id) ? [] : `E${place + 1}`));
  return names.length === 0 ? null : names.join(", ");
}

/** The same answer from the same evidence is not verified twice. */
function nextAfter(
  draft: Draft,
  { draft: before, support }: Search,
  { settings }: GraphContext,
): "verify" | "conclude" {
  const looked = support !== null && before !== null && isSame(draft, before);
  return searchSettings(settings).verify && draft.answer !== null && !looked
    ? "verify"
    : "conclude";
}

function isSame(a: Draft, b: Draft): boolean {
  return a.answer === b.answer && [...a.cites].sort().join() === [...b.cites].sort().join();
}

/** The first call of `answer`, or an answer in plain words; null if neither can be read. */
function claimOf({ messages, question }: Search): Claim | null {
  const last = messages.at(-1);
  const calls = lastCalls(messages);
  const call = calls.find(({ name }) => name === ANSWER);
  if (call === undefined && last?.role === "assistant")
    // Words beside other calls say why these are made.
    return calls.length > 0 && question.task === "open"
      ? null
      : claimFromWords(last.text, question);
  try {
    return claimFromCall(readAnswerCall(withSeen(AnswerParameters), call?.arguments), question);
  } catch (error) {
    if (!isFailure(error, "wrong-usage")) throw error;
    const raw = call?.arguments;
    if (typeof raw !== "string") return null;
    // Damaged JSON may still name an option, but is no answer in words.
    return question.task === "open" && /^\s*[{["]/.test(raw) ? null : claimFromWords(raw, question);
  }
}

/** Continues the search with words as the result of the answer; concludes if that was done before for this reason. */
export function sendBack(
  why: RetryReason,
  words: string,
  state: Search,
  context: GraphContext,
): SearchUpdate {
  if (!mayRetry(why, state, context)) return { next: "conclude" };
  const sentBack = [...state.sentBack, why];
  return { messages: answeredWith(words, state, context), sentBack, next: "turn" };
}

/** Each reason counts once, and only if a call is left for another answer. */
export function mayRetry(why: RetryReason, state: Search, { ledger }: GraphContext): boolean {
  const { calls } = ledger.left();
  return !state.sentBack.includes(why) && (calls === null || calls >= 1);
}

/** Every call needs a result: calls made together with `answer` were not run. */
function answeredWith(words: string, state: Search, { prompts }: GraphContext): Message[] {
  const calls = lastCalls(state.messages);
  if (calls.length === 0) return [...state.messages, { role: "user", parts: [text(words)] }];
  const first = Math.max(
    0,
    calls.findIndex(({ name }) => name === ANSWER),
  );
  const notRun = prompts.render("agent/not-run", {}).text;
  return [
    ...state.messages,
    ...calls.map(
      ({ id, name }, index): Message => ({
        role: "tool",
        toolCallId: id,
        name,
        parts: [text(index === first ? words : notRun)],
      }),
    ),
  ];
}
