import jstat from "jstat";
import { Failure } from "../../src/core/errors.ts";
import { seeded } from "../../src/core/random.ts";
import { quantile } from "../statistics/statistics.ts";

/* Agreement of two raters on named categories. Pure; randomness comes from a seed. */

/** Cohen's kappa of two raters. */
export interface Kappa {
  n: number;
  /** Share of items on which both agree; and the share expected by chance from their categories. */
  observed: number;
  expected: number;
  /** From -1 to 1; null where both use one and the same category throughout, which leaves nothing to agree on. */
  kappa: number | null;
  /** Large-sample standard error (Fleiss, Cohen & Everitt 1969), and the normal interval that it gives; null with kappa. */
  se: number | null;
  low: number | null;
  high: number | null;
}

/**
 * Cohen's kappa (Cohen 1960) of a square table of counts: rows one rater's categories, columns the other's, in one
 * order. Throws `Failure` `wrong-usage` for a table that is not square or holds no items.
 */
export function cohenKappa(counts: readonly (readonly number[])[], level = 0.95): Kappa {
  const n = counts.flat().reduce((sum, count) => sum + count, 0);
  if (n === 0 || counts.some((row) => row.length !== counts.length))
    throw new Failure(
      "wrong-usage",
      `Cannot compute kappa of ${counts.length} rows with ${n} items: the table must be square and hold an item.`,
    );
  const rowSums = counts.map((row) => row.reduce((sum, count) => sum + count, 0));
  const columnSums = counts.map((_, j) => counts.reduce((sum, row) => sum + (row[j] ?? 0), 0));
  const at = (sums: readonly number[], index: number) => sums[index] ?? 0;
  const equal = counts.reduce((sum, row, i) => sum + at(row, i), 0);
  const byChance = rowSums.reduce((sum, count, i) => sum + count * at(columnSums, i), 0);
  const observed = equal / n;
  const expected = byChance / n ** 2;
  if (byChance === n ** 2)
    return { n, observed, expected, kappa: null, se: null, low: null, high: null };
  // In whole numbers, so that full agreement is 1 and nothing near it.
  const kappa = (n * equal - byChance) / (n ** 2 - byChance);
  const rest = 1 - expected;
  let variance = -((observed * expected - 2 * expected + observed) ** 2);
  for (const [i, row] of counts.entries())
    for (const [j, count] of row.entries()) {
      const used = (at(columnSums, i) + at(rowSums, j)) / n;
      const term = (i === j ? rest : 0) - used * (1 - observed);
      variance += (count / n) * term ** 2;
    }
  const se = Math.sqrt(Math.max(0, variance) / n) / rest ** 2;
  const reach = jstat.normal.inv((1 + level) / 2, 0, 1) * se;
  return {
    ...{ n, observed, expected, kappa, se },
    low: Math.max(-1, kappa - reach),
    high: Math.min(1, kappa + reach),
  };
}

/** One item as both raters see it. */
export interface RatedPair<T extends string> {
  a: T;
  b: T;
  /** Items of one cluster (video) are not independent. */
  cluster: string;
}

/** Counts by category: rows `a`, columns `b`. */
export function confusion<T extends string>(
  pairs: readonly Pick<RatedPair<T>, "a" | "b">[],
  categories: readonly T[],
): number[][] {
  return categories.map((a) =>
    categories.map((b) => pairs.filter((pair) => pair.a === a && pair.b === b).length),
  );
}

/**
 * Percentile interval of kappa by resampling whole clusters (Davison & Hinkley 1997, section 3.8). `undefined_draws`:
 * draws in which kappa does not exist, left out; null bounds where it exists in none, or for a single cluster.
 */
export function kappaBootstrap<T extends string>(
  pairs: readonly RatedPair<T>[],
  categories: readonly T[],
  { seed, draws = 10_000, level = 0.95 }: { seed: number; draws?: number; level?: number },
): { low: number | null; high: number | null; draws: number; undefined_draws: number } {
  const place = new Map(categories.map((category, index) => [category, index]));
  const clusters = [...Map.groupBy(pairs, (pair) => pair.cluster).values()].map((members) =>
    members.map(({ a, b }) => [place.get(a) ?? 0, place.get(b) ?? 0] as const),
  );
  const random = seeded("kappa-bootstrap", seed);
  const found: number[] = [];
  for (let draw = 0; draw < draws; draw++) {
    const table = categories.map(() => categories.map(() => 0));
    for (let i = 0; i < clusters.length; i++)
      for (const [a, b] of clusters[Math.floor(random() * clusters.length)] ?? []) {
        const row = table[a];
        if (row !== undefined) row[b] = (row[b] ?? 0) + 1;
      }
    const { kappa } = cohenKappa(table);
    if (kappa !== null) found.push(kappa);
  }
  found.sort((x, y) => x - y);
  const none = clusters.length < 2 || found.length === 0;
  return {
    low: none ? null : quantile(found, (1 - level) / 2),
    high: none ? null : quantile(found, (1 + level) / 2),
    draws,
    undefined_draws: draws - found.length,
  };
}
