/** Smallest, middle, mean and largest value. */
export interface Spread {
  min: number;
  median: number;
  mean: number;
  max: number;
}

/** Null without values. */
export function spreadOf(values: readonly number[]): Spread | null {
  const sorted = values.toSorted((a, b) => a - b);
  const [min] = sorted;
  const max = sorted.at(-1);
  if (min === undefined || max === undefined) return null;
  const half = (sorted.length - 1) / 2;
  const median = ((sorted[Math.floor(half)] as number) + (sorted[Math.ceil(half)] as number)) / 2;
  const mean = sorted.reduce((sum, value) => sum + value, 0) / sorted.length;
  return { min, median, mean, max };
}

/** How often each key occurs, the most frequent first, then in the order of the keys. */
export function countsOf<T>(items: readonly T[], keyOf: (item: T) => string): [string, number][] {
  return [...Map.groupBy(items, keyOf)]
    .map(([key, of]): [string, number] => [key, of.length])
    .sort(([a, m], [b, n]) => n - m || a.localeCompare(b, "en", { numeric: true }));
}
