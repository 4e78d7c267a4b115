/**
 * Probability of at least `count` successes in independent trials with these probabilities (Poisson binomial), exact.
 *
 * @example
 * atLeast(2, [0.5, 0.5]); // 0.25
 */
export function atLeast(count: number, chances: readonly number[]): number {
  let exactly = [1];
  for (const chance of chances) {
    const before = exactly;
    exactly = Array.from(
      { length: before.length + 1 },
      (_, n) => (before[n] ?? 0) * (1 - chance) + (before[n - 1] ?? 0) * chance,
    );
  }
  return Math.min(
    1,
    exactly.slice(count).reduce((sum, one) => sum + one, 0),
  );
}
