import type { Question } from "../../src/core/shapes.ts";

/** A search that is made for a question. */
export interface QuestionQuery {
  /** Letter of the option whose words are looked for; null: those of the question. */
  option: string | null;
  text: string;
}

/**
 * The searches for a question: one with its words, then one with the words of each option, so that the words of one do
 * not outweigh those of another. A caller merges the results as it needs.
 *
 * @example
 * questionQueries({ text: "Which animal?", options: [{ letter: "A", text: "A frog" }] });
 * // [{ option: null, text: "Which animal?" }, { option: "A", text: "A frog" }]
 */
export function questionQueries({
  text,
  options = [],
}: Pick<Question, "text" | "options">): QuestionQuery[] {
  return [
    { option: null, text },
    ...options.map((option) => ({ option: option.letter, text: option.text })),
  ];
}
