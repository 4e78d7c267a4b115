import { createRegistry } from "../../src/core/registry.ts";
import type { Sample } from "../benchmarks/sample.ts";

/** How an answer that was read from a reply is scored. */
export interface Scorer {
  readonly name: string;
  /**
   * Compares an answer with the right one. Pure: the same arguments give the same score.
   *
   * @param answer a letter, or clip numbers from 1; null: the reply held no answer
   */
  score(answer: string | number[] | null, sample: Sample): AnswerScore;
}

export interface AnswerScore {
  /** 0 (wrong) to 1 (right). */
  value: number;
  answer: string | number[] | null;
  /** What the value rests on, as a clause for a person: `right is B`. */
  explanation: string;
}

/** The scorers that this process knows. */
export const scorers = createRegistry<Scorer>("a scorer");

/**
 * Defines a scorer; a benchmark names it in `scorer`.
 *
 * @example
 * export const exactText = defineScorer({
 *   name: "exact-text",
 *   score: (answer, sample) => ({
 *     value: answer === sample.answer ? 1 : 0,
 *     answer,
 *     explanation: `right is ${sample.answer}`,
 *   }),
 * });
 */
export function defineScorer(scorer: Scorer): Scorer {
  return scorer;
}
