import type { Settings } from "../src/core/settings.ts";
import { type AnswerPrompt, answerPrompt, type QuestionKind } from "./answer-formats.ts";
import type { Wording } from "./wording.ts";

/* Which prompt asks for the final answer. */

/** What the questions of a run have in common. */
export interface QuestionSetup extends QuestionKind {
  wording: Wording;
  /** Descriptions come from the data, so that nothing is recognised. */
  described: boolean;
}

/** The prompt of a question that is asked in one call. */
export function directPrompt(
  { task, options }: QuestionKind,
  wording: Wording,
  cot: boolean,
): AnswerPrompt<"goal" | "question" | "options"> {
  if (task === "order") return answerPrompt(cot ? "vcrbench/direct-cot" : "vcrbench/direct");
  if (task === "open") return answerPrompt(cot ? "open/direct-cot" : "open/direct");
  return wording.choice.direct(options, cot);
}

/** The prompt that asks a choice or open question over evidence. */
export function promptOverEvidence(
  { task }: QuestionKind,
  wording: Wording,
): AnswerPrompt<"question" | "options" | "evidence"> {
  return task === "choice" ? wording.choice.evidence : answerPrompt("ask/open");
}

/** The prompt that orders all described clips in one call. */
export function orderPrompt(media: "frames" | "video" | null) {
  if (media === null) return "rrd/order";
  return media === "video" ? "rrd/order-clips" : "rrd/order-video";
}

/** The prompt that compares two clips, by what is shown of them. */
export function comparePrompt(media: "frames" | "video" | null) {
  if (media === null) return "rrd/compare";
  return media === "video" ? "rrd/compare-clips" : "rrd/compare-video";
}

/** Whether the text of a direct question precedes its frames. */
export function isTextFirst(
  { recognition }: Pick<Settings, "recognition">,
  wording: Wording,
): boolean {
  return recognition.message_order === null
    ? wording.textFirst
    : recognition.message_order === "text-first";
}
