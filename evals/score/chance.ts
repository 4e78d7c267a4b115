import { countOrders, factorial } from "../benchmarks/partial-order.ts";
import type { Sample } from "../benchmarks/sample.ts";
import { unitOf } from "../run/selection.ts";
import { shortenedQuestions } from "./shortened-questions.ts";

/**
 * Probability that a guess is right: one of the options, or one of all orders of the clips. 0 for open questions, and for a
 * choice whose right letter is not offered.
 */
export function chanceOf({ task, answer, options, partial_order }: Sample): number {
  if (task === "choice")
    return options.some(({ letter }) => letter === answer) ? 1 / options.length : 0;
  if (!Array.isArray(answer)) return 0;
  const right = partial_order === undefined ? 1 : countOrders(answer, partial_order);
  return right / factorial(answer.length);
}

/**
 * Expected accuracy of guessing. A question asked as pairs is right if all pairs are; one that lacks pairs is left out.
 * Null without questions.
 */
export function chanceAccuracy(samples: readonly Sample[]): number | null {
  const shortened = new Set(shortenedQuestions(samples).map(({ id }) => id));
  const questions = [...Map.groupBy(samples, unitOf)]
    .filter(([id]) => !shortened.has(id))
    .map(([, members]) => members);
  if (questions.length === 0) return null;
  const each = questions.map((parts) => parts.reduce((all, part) => all * chanceOf(part), 1));
  return each.reduce((sum, one) => sum + one, 0) / each.length;
}
