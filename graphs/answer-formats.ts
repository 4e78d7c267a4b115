import type { PromptName, PromptWith } from "../prompts/catalogue.ts";
import type { Question } from "../src/core/shapes.ts";

/*
 * The forms in which prompts request an answer. A reply is parsed by the form of its prompt, so that the rule of one
 * form never parses another.
 */

/** The forms of a final answer, each with a description for a person. */
export const ANSWER_FORMATS = {
  letter: "only the letter",
  brackets: "`[[X]]` at the end",
  "answer-line": "a last line `Answer: X`",
  "order-line": "a last line `Correct order: 3, 1, 2`",
  words: "the answer in words",
} as const;
/** The form in which a prompt asks for the answer. */
export type AnswerFormat = keyof typeof ANSWER_FORMATS;

/** The prompts of the catalogue that ask for a final answer, each with its form. */
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
  "react/question-choice": "answer-line",
  "react/question-open": "words",
  "react/question-order": "order-line",
} as const satisfies Partial<Record<PromptName, AnswerFormat>>;

/** A prompt that asks for a final answer and is filled with the variables `V`. */
export interface AnswerPrompt<V extends string = string> {
  prompt: PromptWith<V>;
  form: AnswerFormat;
}

export function answerPrompt<N extends keyof typeof ANSWER_PROMPTS>(prompt: N) {
  return { prompt, form: ANSWER_PROMPTS[prompt] };
}

/** The properties of a question that decide its prompt. */
export interface QuestionKind {
  task: Question["task"];
  /** Number of options; 0 if it is not a choice. */
  options: number;
}
