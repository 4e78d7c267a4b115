import { Failure } from "../../src/core/errors.ts";
import { seeded } from "../../src/core/random.ts";
import {
  clusterBootstrap,
  clusteredMean,
  clusterTotals,
  FEWEST_CLUSTERS,
  tQuantile,
} from "./statistics.ts";

/* Statistics of two runs over the same questions. Pure functions; randomness comes from a seed. */

/** One question's scores in both runs. */
export interface Pair {
  a: number;
  b: number;
  cluster: string;
}

/** The mean difference of two runs on the same questions, with its interval. */
export interface Difference {
  /** Mean of b - a. */
  difference: number;
  /** Clustered standard error of the difference; null for a single cluster. */
  se: number | null;
  /** Interval of the paired cluster bootstrap, 95 % by default; null if `n_too_small`, `identical` or `uniform`. */
  low: number | null;
  high: number | null;
  /** Sign-flip permutation by cluster, two-sided; valid for any number of clusters. */
  p: number;
  exact: boolean;
  /**
   * Smallest true difference that a test at 5 % finds with a power of 80 %; null if `n_too_small`, `identical` or
   * `uniform`, or if no difference of shares is that large.
   */
  detectable: number | null;
  n: number;
  clusters: number;
  /** Fewer than 20 clusters: too few to resample. */
  n_too_small: boolean;
  /** Every question has the same score in both runs. */
  identical: boolean;
  /** Every question differs by the same amount, above or below 0: the spread of the differences cannot be measured. */
  uniform: boolean;
}

/**
 * Compares two runs question by question: clustered standard error of the difference (Miller 2024, arXiv
 * 2411.00640, section 4.2), bootstrap interval and permutation test. Throws `Failure` `wrong-usage` if there are no pairs.
 */
export function compareRuns(
  pairs: readonly Pair[],
  { seed, draws = 10_000, level = 0.95 }: { seed: number; draws?: number; level?: number },
): Difference {
  const items = pairs.map(({ a, b, cluster }) => ({ value: b - a, cluster }));
  const { mean, se, n, clusters } = clusteredMean(items, level);
  const n_too_small = clusters < FEWEST_CLUSTERS;
  const identical = pairs.every(({ a, b }) => a === b);
  const uniform = !identical && pairs.every(({ a, b }) => Math.abs(b - a - mean) < 1e-9);
  const unknown = n_too_small || identical || uniform;
  const { low, high } = unknown
    ? { low: null, high: null }
    : clusterBootstrap(items, { seed, draws, level });
  const { p, exact } = signFlip(pairs, { seed, draws });
  const smallest = unknown || se === null ? null : smallestDetectable(se, clusters - 1);
  const detectable = smallest === null || smallest > 1 ? null : smallest;
  return {
    ...{ difference: mean, se, low, high, p, exact, detectable, n, clusters },
    ...{ n_too_small, identical, uniform },
  };
}

/** With up to this many clusters, every pattern of signs is enumerated. */
const EXACT_CLUSTERS = 14;

/**
 * Two-sided p-value of the hypothesis that the two runs are exchangeable within each cluster (Fisher 1935; Good 2005,
 * section 3.2). Exact up to 14 clusters that differ; for more, Monte Carlo with the observed pattern counted among the
 * draws (Phipson & Smyth 2010).
 */
export function signFlip(
  pairs: readonly Pair[],
  { seed, draws = 10_000 }: { seed: number; draws?: number },
): { p: number; exact: boolean } {
  const items = pairs.map(({ a, b, cluster }) => ({ value: b - a, cluster }));
  const sums = clusterTotals(items)
    .map((total) => total.sum)
    .filter((sum) => sum !== 0);
  const observed = Math.abs(sums.reduce((total, sum) => total + sum, 0));
  const reached = (total: number) => Math.abs(total) >= observed - 1e-9;
  if (sums.length <= EXACT_CLUSTERS) {
    const patterns = 2 ** sums.length;
    let hits = 0;
    for (let pattern = 0; pattern < patterns; pattern++)
      if (reached(sums.reduce((total, sum, bit) => total + ((pattern >> bit) & 1 ? -sum : sum), 0)))
        hits++;
    return { p: hits / patterns, exact: true };
  }
  const random = seeded("sign-flip", seed);
  let hits = 0;
  for (let draw = 0; draw < draws; draw++) {
    let total = 0;
    for (const sum of sums) total += random() < 0.5 ? sum : -sum;
    if (reached(total)) hits++;
  }
  return { p: (hits + 1) / (draws + 1), exact: false };
}

/** McNemar's exact test of two runs on the same questions. */
export interface McNemar {
  /** Questions that only run a, or only run b, answers correctly. */
  onlyA: number;
  onlyB: number;
  /** Exact two-sided binomial p-value (McNemar 1947). */
  p: number;
  /** Mid-p, less conservative (Fagerland, Lydersen & Laake 2013). */
  midP: number;
}

/** Exact McNemar test for scores of 0 or 1. Throws `Failure` `wrong-usage` if a video has several questions, which are not independent. */
export function mcnemar(pairs: readonly Pair[]): McNemar {
  const crowded = [...Map.groupBy(pairs, (pair) => pair.cluster)].find(([, of]) => of.length > 1);
  if (crowded !== undefined)
    throw new Failure(
      "wrong-usage",
      `McNemar's test needs one question per video, but ${crowded[0]} has ${crowded[1].length}: use the sign-flip permutation by video.`,
      { cluster: crowded[0], questions: crowded[1].length },
    );
  if (pairs.some(({ a, b }) => (a !== 0 && a !== 1) || (b !== 0 && b !== 1)))
    throw new Failure(
      "wrong-usage",
      "McNemar's test needs scores of 0 or 1: use the sign-flip permutation for scores in between.",
    );
  const onlyA = pairs.filter(({ a, b }) => a === 1 && b === 0).length;
  const onlyB = pairs.filter(({ a, b }) => a === 0 && b === 1).length;
  const discordant = onlyA + onlyB;
  const fewer = Math.min(onlyA, onlyB);
  if (discordant === 0) return { onlyA, onlyB, p: 1, midP: 1 };
  const { atMost, equal } = fairCoin(fewer, discordant);
  const p = Math.min(1, 2 * atMost);
  const midP = onlyA === onlyB ? 1 - equal / 2 : 2 * atMost - equal;
  return { onlyA, onlyB, p, midP };
}

/**
 * Probability of at most `k`, and of exactly `k`, heads in `n` tosses of a fair coin. Summed by logarithms: the number of
 * ways overflows above 1,030 tosses, and a difference of two shares loses the digits of a small one.
 */
function fairCoin(k: number, n: number): { atMost: number; equal: number } {
  let log = -n;
  let atMost = 2 ** log;
  for (let heads = 1; heads <= k; heads++) {
    log += Math.log2((n - heads + 1) / heads);
    atMost += 2 ** log;
  }
  return { atMost, equal: 2 ** log };
}

/** Adjusted p-values in the given order (Holm 1979): reject each hypothesis whose adjusted p is at most the level. */
export function holm(p: readonly number[]): number[] {
  const order = p.map((value, index) => ({ value, index })).sort((x, y) => x.value - y.value);
  const adjusted = new Array<number>(p.length);
  let highest = 0;
  for (const [rank, { value, index }] of order.entries()) {
    highest = Math.max(highest, Math.min(1, value * (p.length - rank)));
    adjusted[index] = highest;
  }
  return adjusted;
}

/** Minimum detectable difference of a two-sided test (Bloom 1995): (t at 1 - alpha/2 + t at power) standard errors. */
export function smallestDetectable(se: number, df: number, alpha = 0.05, power = 0.8): number {
  return (tQuantile(1 - alpha / 2, df) + tQuantile(power, df)) * se;
}
