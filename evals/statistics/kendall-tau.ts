import { Failure } from "../../src/core/errors.ts";

/** Tau-a (Kendall 1938): concordant less discordant pairs over all pairs; equal lengths of at least 2. */
export function kendallTau(a: readonly number[], b: readonly number[]): number {
  if (a.length !== b.length || a.length < 2)
    throw new Failure(
      "wrong-usage",
      `Expected two rankings of one length from 2 for Kendall's tau, got ${a.length} and ${b.length}.`,
    );
  let balance = 0;
  for (let i = 0; i < a.length; i++)
    for (let j = 0; j < i; j++)
      balance +=
        Math.sign((a[i] as number) - (a[j] as number)) *
        Math.sign((b[i] as number) - (b[j] as number));
  return balance / ((a.length * (a.length - 1)) / 2);
}
