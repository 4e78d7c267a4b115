import { isFailure } from "../../src/core/errors.ts";
import type { Evidence } from "../../src/core/shapes.ts";
import type { FrameTable } from "../../src/media/frame-table.ts";
import { frameAt } from "../../src/media/frame-table.ts";
import type { Message } from "../../src/models/chat.ts";
import { frameTable } from "../../tools/video/video.ts";
import type { GraphContext } from "../context.ts";
import { ANSWER, AnswerParameters, readAnswerCall } from "./answer-call.ts";
import { withSeen } from "./offered-tools.ts";
import { type Claim, claimFromCall, claimFromWords } from "./read-answer.ts";
import { lastCalls } from "./run-tool-calls.ts";
import { seenCaption } from "./seen-caption.ts";
import { searchSettings } from "./settings.ts";
import type { Draft, RetryReason, Search, SearchUpdate } from "./state.ts";
import { text } from "./tool-results.ts";

/** Seconds that a subtitle may end after the video. */
const OVERHANG_S = 2;

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
  const { cites, unknown, misplaced } = await citedEvidence(claim, state, context);
  const { names: _names, ...rest } = claim;
  const draft: Draft = { ...rest, cites };
  const diagnostics = {
    ...(unknown.length > 0 ? { unknown_citations: unknown } : {}),
    ...(misplaced.length > 0 ? { misplaced_citations: misplaced } : {}),
  };
  const bare = cites.length === 0 && draft.answer !== null && state.shown.length > 0;
  if (bare && mayRetry("uncited", state, context)) {
    const names = `E1 to E${state.shown.length}`;
    const words = context.prompts.render("agent/uncited", { names }).text;
    const back = sendBack("uncited", words, state, context);
    // The verdict on an earlier draft does not apply to this one.
    return { ...back, draft, support: null, diagnostics, evidence: noted };
  }
  return { draft, diagnostics, evidence: noted, next: nextAfter(draft, state, context) };
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
function claimOf(state: Search): Claim | null {
  const last = state.messages.at(-1);
  const call = lastCalls(state.messages).find(({ name }) => name === ANSWER);
  if (call === undefined && last?.role === "assistant")
    return claimFromWords(last.text, state.question);
  try {
    return claimFromCall(
      readAnswerCall(withSeen(AnswerParameters), call?.arguments),
      state.question,
    );
  } catch (error) {
    if (!isFailure(error, "wrong-usage")) throw error;
    // Text that is not JSON may still name an option.
    const raw = call?.arguments;
    return typeof raw === "string" ? claimFromWords(raw, state.question) : null;
  }
}

async function citedEvidence({ names }: Claim, state: Search, context: GraphContext) {
  const table =
    context.video.probe.video === null
      ? null
      : await frameTable(context.video, context.job("check"));
  const byId = new Map(state.evidence.map((item) => [item.id, item]));
  const cites: string[] = [];
  const unknown: string[] = [];
  const misplaced: string[] = [];
  for (const name of new Set(names)) {
    const item = byId.get(state.shown[Number(/^E(\d+)$/.exec(name)?.[1]) - 1] ?? "");
    if (item === undefined) unknown.push(name.slice(0, 40));
    else if (!isAtItsTime(item, context.video.probe.duration_s, table)) misplaced.push(name);
    else cites.push(item.id);
  }
  return { cites, unknown, misplaced };
}

/** Whether an item lies within the video, and a frame at the time of a frame of the video. */
export function isAtItsTime(
  { start_s, end_s, frame, kind }: Evidence,
  duration_s: number,
  table: FrameTable | null,
): boolean {
  if (!(start_s >= 0 && start_s <= end_s && end_s <= duration_s + OVERHANG_S)) return false;
  if (kind !== "frame") return true;
  if (frame === undefined || table === null || frame.t_s !== start_s) return false;
  return Math.abs((table.pts_s[frameAt(table, start_s)] ?? Number.NaN) - start_s) < 5e-4;
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
  const first = calls.findIndex(({ name }) => name === ANSWER);
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
