import { Failure } from "../../src/core/errors.ts";

/**
 * Tau-a (Kendall 1938), from -1 to 1: concordant minus discordant pairs, divided by all pairs. Throws `Failure` `wrong-usage`
 * unless both rankings have the same length, at least 2.
 */
export function kendallTau(a: readonly number[], b: readonly number[]): number {
  if (a.length !== b.length || a.length < 2)
    throw new Failure(
      "wrong-usage",
      `Cannot compute Kendall's tau of rankings with ${a.length} and ${b.length} items: both need the same length, at least 2.`,
    );
  let balance = 0;
  for (let i = 0; i < a.length; i++)
    for (let j = 0; j < i; j++)
      balance +=
        Math.sign((a[i] as number) - (a[j] as number)) *
        Math.sign((b[i] as number) - (b[j] as number));
  return balance / ((a.length * (a.length - 1)) / 2);
}
