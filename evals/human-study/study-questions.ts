import type { Sample } from "../benchmarks/sample.ts";
import { unitOf } from "../run/selection.ts";
import type { Assignment } from "./assign.ts";

/* The questions of a study. A question that is asked as pairs has several samples. */

/** Number of questions, each with all of its samples as one. */
export function countQuestions(samples: readonly Sample[]): number {
  return new Set(samples.map(unitOf)).size;
}

/** What one rater has to answer. `samples` counts each pair of a question. */
export function shareOf(
  rater: number,
  assignments: readonly Assignment[],
  samples: readonly Sample[],
): { questions: number; samples: number } {
  const own = assignments.flatMap((one) => (one.rater === rater ? (samples[one.item] ?? []) : []));
  return { questions: countQuestions(own), samples: own.length };
}

/**
 * Number of questions whose pairs have different raters, as in older plans. An epoch of such a question has answers of
 * several people, and the lowest score over its pairs is that of none of them.
 */
export function mixedQuestions(
  assignments: readonly Assignment[],
  samples: readonly Sample[],
): number {
  const raters = Map.groupBy(assignments, ({ item }) => item);
  const teamOf = (item: number) =>
    (raters.get(item) ?? [])
      .map(({ rater }) => rater)
      .sort((a, b) => a - b)
      .join(" ");
  return [...Map.groupBy(samples.entries(), ([, sample]) => unitOf(sample)).values()].filter(
    (of) => new Set(of.map(([item]) => teamOf(item))).size > 1,
  ).length;
}

/** Told wherever the scores of a study with mixed questions are shown; null without any. */
export function mixedText(questions: number | undefined): string | null {
  if (questions === undefined || questions === 0) return null;
  return `The pairs of ${questions} questions were answered by different people, so the scores of these questions belong to no single person.`;
}
