import type { PromptName, PromptWith } from "../prompts/catalogue.ts";
import type { Question } from "../src/core/shapes.ts";

/*
 * The forms in which prompts ask for an answer. Whoever reads replies chooses a reader by the form, so a prompt that is
 * added here cannot be read by a rule that was written for another form.
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

/** The prompts of the catalogue that ask for a final answer, each with the form in which it asks for it. */
export const ANSWER_PROMPTS = {
  "vcrbench/direct": "order-line",
  "vcrbench/direct-cot": "order-line",
  "rrd/order": "order-line",
  "rrd/order-video": "order-line",
  "rrd/order-clips": "order-line",
  "choice/direct": "letter",
  "choice/direct-cot": "answer-line",
  "ask/choice": "answer-line",
  "open/direct": "words",
  "open/direct-cot": "words",
  "ask/open": "words",
} as const satisfies Partial<Record<PromptName, AnswerFormat>>;

/** A prompt that asks for a final answer and is filled with the variables `V`. */
export interface AnswerPrompt<V extends string = string> {
  prompt: PromptWith<V>;
  form: AnswerFormat;
}

export function answerPrompt<N extends keyof typeof ANSWER_PROMPTS>(prompt: N) {
  return { prompt, form: ANSWER_PROMPTS[prompt] };
}

/** What of a question decides which prompt asks it. */
export interface QuestionKind {
  task: Question["task"];
  /** Number of options; 0 for anything but a choice. */
  options: number;
}
