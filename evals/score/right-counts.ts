import { percent } from "../../src/core/percent.ts";
import type { Accuracy } from "./score-run.ts";

/**
 * What an accuracy contains that the counts next to it do not show, such as `every question weighs the same`. Null if the
 * counts give the accuracy: `right` of all results, or of the answered ones.
 */
export function countsCaveat(accuracy: Accuracy, of: "ofAll" | "ofAnswered"): string | null {
  const { right, partial } = accuracy;
  const mean = accuracy[of];
  const results = resultsOf(accuracy, of);
  if (mean === null || Math.abs(right / results - mean.mean) < 1e-9) return null;
  if (partial === 0 && mean.n === results) return "right replies without an answer are left out";
  return [
    ...(partial === 0 ? [] : ["parts of the full score count as well"]),
    ...(mean.n === results ? [] : ["every question weighs the same"]),
  ].join("; ");
}

/** Why the counts under a table of accuracies do not give them; null if all do. */
export function countsNote(
  rows: readonly (readonly [accuracy: Accuracy, of: "ofAll" | "ofAnswered"])[],
): string | null {
  for (const [accuracy, of] of rows) {
    const caveat = countsCaveat(accuracy, of);
    if (caveat === null) continue;
    const results = resultsOf(accuracy, of);
    return `accuracy: ${caveat}, so the counts do not give it (for example ${accuracy.right} of ${results} is ${percent(accuracy.right / results)})`;
  }
  return null;
}

function resultsOf({ all, answered }: Accuracy, of: "ofAll" | "ofAnswered"): number {
  return of === "ofAll" ? all : answered;
}
