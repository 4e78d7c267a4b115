import type { PromptName } from "../prompts/catalogue.ts";
import type { Question } from "../src/core/shapes.ts";
import type { Wording } from "./context.ts";

/*
 * Which prompt asks for the final answer, and in which form. Whoever reads replies chooses a reader by the form, so
 * a prompt that is added here cannot be read by a rule that was written for another form.
 */

/** The forms of a final answer, each with what a prompt asks for, for a person. */
export const ANSWER_FORMATS = {
  letter: "the letter alone",
  brackets: "`[[X]]` at the end",
  "answer-line": "a last line `Answer: X`",
  "order-line": "a last line `Correct order: 3, 1, 2`",
  words: "the answer in words",
} as const;
export type AnswerFormat = keyof typeof ANSWER_FORMATS;

/** Every prompt that asks for a final answer, with the form in which it asks for it. */
export const ANSWER_PROMPTS = {
  "vcrbench/direct": "order-line",
  "vcrbench/direct-cot": "order-line",
  "rrd/order": "order-line",
  "rrd/order-video": "order-line",
  "rrd/order-clips": "order-line",
  "mmr-v/direct": "brackets",
  "mmr-v/direct-cot": "brackets",
  "mmr-v/evidence": "brackets",
  "videomathqa/mcq": "letter",
  "videomathqa/mcq-cot": "answer-line",
  "videomathqa/mbin": "letter",
  "videomathqa/mbin-cot": "answer-line",
  "videomathqa/evidence": "answer-line",
  "choice/direct": "letter",
  "choice/direct-cot": "answer-line",
  "ask/choice": "answer-line",
  "open/direct": "words",
  "open/direct-cot": "words",
  "ask/open": "words",
} as const satisfies Partial<Record<PromptName, AnswerFormat>>;
export type AnswerPrompt = keyof typeof ANSWER_PROMPTS;

/** What of a question decides how it is put. */
export interface QuestionKind {
  task: Question["task"];
  /** Number of options; 0 for anything but a choice. VideoMathQA's pairs are told by their two. */
  options: number;
}

/** What the questions of a run have in common. */
export interface AskedWith extends QuestionKind {
  wording: Wording;
  /** Descriptions come from the data, so that nothing is recognised. */
  described: boolean;
}

/** The prompt that puts the whole question at once. */
export function directPrompt({ task, options }: QuestionKind, wording: Wording, cot: boolean) {
  if (task === "order") return cot ? "vcrbench/direct-cot" : "vcrbench/direct";
  if (task === "open") return cot ? "open/direct-cot" : "open/direct";
  if (wording === "mmr-v") return cot ? "mmr-v/direct-cot" : "mmr-v/direct";
  if (wording !== "videomathqa") return cot ? "choice/direct-cot" : "choice/direct";
  if (options === 2) return cot ? "videomathqa/mbin-cot" : "videomathqa/mbin";
  return cot ? "videomathqa/mcq-cot" : "videomathqa/mcq";
}

/** The prompt that asks a choice or open question over evidence. */
export function evidencePromptName({ task }: QuestionKind, wording: Wording) {
  if (task !== "choice") return "ask/open";
  if (wording === "mmr-v") return "mmr-v/evidence";
  return wording === "videomathqa" ? "videomathqa/evidence" : "ask/choice";
}

/** The prompt that orders all described clips in one call. */
export function orderPrompt(seen: "frames" | "video" | null) {
  if (seen === null) return "rrd/order";
  return seen === "video" ? "rrd/order-clips" : "rrd/order-video";
}

/** The prompt that compares two clips, by what is shown of them. */
export function comparePrompt(seen: "frames" | "video" | null) {
  if (seen === null) return "rrd/compare";
  return seen === "video" ? "rrd/compare-clips" : "rrd/compare-video";
}

export function subtitlePromptName(wording: Wording): "videomathqa/subtitles" | "ask/subtitles" {
  return wording === "videomathqa" ? "videomathqa/subtitles" : "ask/subtitles";
}
