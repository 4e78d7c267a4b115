import type { DeclaredSettings } from "../../src/core/declared-settings.ts";
import { createRegistry } from "../../src/core/registry.ts";
import type { Task } from "../../src/core/shapes.ts";
import type { Sample } from "../benchmarks/sample.ts";

/** How an answer that was read from a reply is scored. */
export interface Scorer {
  readonly name: string;
  /** One line for help. */
  readonly summary?: string;
  /** Tasks whose answers it scores. Default: all. */
  readonly tasks?: readonly Task[];
  /** Settings of its own, such as a tolerance; they become flags. */
  readonly settings?: DeclaredSettings;
  /**
   * Compares an answer with the right one. Pure: the same arguments give the same score.
   *
   * @param answer a letter, clip numbers from 1, or the text of an open answer; null: the reply held no answer
   * @param settings those of `settings` that were given
   */
  score(
    answer: string | number[] | null,
    sample: Sample,
    settings: Readonly<Record<string, unknown>>,
  ): AnswerScore;
  /** Name of the setting that it cannot do without; giving that setting chooses the scorer. */
  readonly needs?: string;
  /** Whether a grader of the same name grades replies; `score` gives null for the answers that it grades. */
  readonly isGraded?: boolean;
  /** Open answers with equal keys count as the same answer in a majority vote. Default: equal after normalisation. */
  readonly key?: (answer: string) => string;
}

/** The score of one answer. */
export interface AnswerScore {
  /** 0 (wrong) to 1 (right); null: the answer has to be graded (`isGraded`). */
  value: number | null;
  answer: string | number[] | null;
  /** What the value rests on, as a clause for a person: `right is B`. */
  explanation: string;
}

/** The scorers that this process knows. */
export const scorers = createRegistry<Scorer>("a scorer");

/**
 * Defines a scorer; a benchmark names it in `scorer`, a run with `--scorer`.
 *
 * @example
 * export const startsWith = defineScorer({
 *   name: "starts-with",
 *   summary: "the answer starts with the reference",
 *   tasks: ["open"],
 *   score: (answer, sample) => ({
 *     value: references(sample).some((right) => String(answer ?? "").startsWith(right)) ? 1 : 0,
 *     answer,
 *     explanation: `right is ${sample.answer}`,
 *   }),
 * });
 */
export function defineScorer(scorer: Scorer): Scorer {
  return scorer;
}
