import type { Question } from "../../src/core/shapes.ts";
import type { ChatReply } from "../../src/models/chat.ts";
import { saysNotAnswered } from "../replies/not-answered.ts";
import { parseChoice } from "../replies/parse-choice.ts";
import { parseCitations, withoutCitations } from "../replies/parse-citations.ts";
import { finalText } from "../replies/reply-text.ts";
import { outcomeOf } from "../stages/answer.ts";
import type { AnswerArguments } from "./answer-call.ts";
import type { Draft } from "./state.ts";

/** A draft before its citations are checked, with the names as the model gave them. */
export interface Claim extends Omit<Draft, "cites"> {
  names: string[];
}

/** Reads a call of `answer`; null if it chooses none of the options. */
export function claimFromCall(
  { answer, evidence, confidence }: AnswerArguments,
  question: Question,
): Claim | null {
  const said = answer.trim();
  const none = saysNotAnswered(said);
  const settled = question.task === "choice" ? parseChoice(said, question.options ?? []) : said;
  if (!none && (settled === null || settled === "")) return null;
  return {
    answer: none ? null : question.task === "open" ? withoutCitations(said) : settled,
    names: evidence.map(nameIn),
    confidence: confidence ?? null,
    given: "call",
  };
}

/** `[e3]`, `E3` and `3` all name the item E3; anything else stays as it is. */
function nameIn(given: string): string {
  const digits = /^\W*[eE]?\s*(\d+)\W*$/.exec(given)?.[1];
  return digits === undefined ? given : `E${Number(digits)}`;
}

/** Reads an answer in plain words, with the names in brackets; null if it holds none. */
export function claimFromWords(words: string, question: Question): Claim | null {
  const read = { text: words, finish: "stop", toolCalls: [], tokens: { input: 0, output: 0 } };
  const { status, answer } = outcomeOf(question, read as ChatReply);
  if (status !== "answered" || typeof answer !== "string") return null;
  const { cited } = parseCitations(finalText(words), { has: () => true });
  return { answer, names: cited, confidence: null, given: "words" };
}
