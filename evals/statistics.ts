import jstat from "jstat";
import { Failure } from "../src/core/errors.ts";
import { seeded } from "../src/core/random.ts";

/*
 * Means with their uncertainty, and scores over repeated epochs. Pure; randomness comes from a seed.
 * Two runs against each other: `paired-statistics.ts`.
 */

/** One question's score and the cluster (video) whose questions are not independent of it. */
export interface Item {
  value: number;
  cluster: string;
}

export interface Mean {
  mean: number;
  /** Clustered standard error; null for a single cluster, from which none can be estimated. */
  se: number | null;
  low: number | null;
  high: number | null;
  n: number;
  clusters: number;
  /** How `low` and `high` were made. */
  method: "clustered-t" | "wilson" | "none";
}

/** Cluster totals: all that a mean, its error and its bootstrap need. */
export function clusterTotals(items: readonly Item[]): { sum: number; count: number }[] {
  return [...Map.groupBy(items, (item) => item.cluster).values()].map((members) => ({
    sum: members.reduce((sum, item) => sum + item.value, 0),
    count: members.length,
  }));
}

/**
 * Mean with clustered standard error (Miller 2024, arXiv 2411.00640, equation 4) under the small-sample factor
 * G/(G-1) and t with G-1 degrees of freedom (Cameron & Miller 2015, section VI). Right-or-wrong scores take Wilson's
 * interval where each cluster has one question, or where all agree and the t interval would have no width.
 * Throws `Failure` `wrong-usage` without items.
 */
export function clusteredMean(items: readonly Item[], level = 0.95): Mean {
  if (items.length === 0)
    throw new Failure("wrong-usage", "Expected at least one scored question for a mean, got none.");
  const totals = clusterTotals(items);
  const n = items.length;
  const clusters = totals.length;
  const mean = totals.reduce((sum, total) => sum + total.sum, 0) / n;
  const spread = totals.reduce((sum, total) => sum + (total.sum - total.count * mean) ** 2, 0);
  const se = clusters < 2 ? null : Math.sqrt((spread * clusters) / (clusters - 1)) / n;
  const binary = items.every((item) => item.value === 0 || item.value === 1);
  if (binary && (clusters === n || se === 0)) {
    const { low, high } = wilson(mean * clusters, clusters, level);
    return { mean, se, low, high, n, clusters, method: "wilson" };
  }
  if (se === null) return { mean, se, low: null, high: null, n, clusters, method: "none" };
  const reach = tQuantile((1 + level) / 2, clusters - 1) * se;
  return { mean, se, low: mean - reach, high: mean + reach, n, clusters, method: "clustered-t" };
}

/** The mean of shares: its interval ends where a share does, which with few clusters that of t would not. */
export function meanShare(items: readonly Item[]): Mean {
  const mean = clusteredMean(items);
  const within = (bound: number | null) =>
    bound === null ? null : Math.min(1, Math.max(0, bound));
  return { ...mean, low: within(mean.low), high: within(mean.high) };
}

/** Score interval of a proportion (Wilson 1927); `successes` of `n` independent trials. */
export function wilson(successes: number, n: number, level = 0.95): { low: number; high: number } {
  const z = jstat.normal.inv((1 + level) / 2, 0, 1);
  const p = successes / n;
  const centre = p + z ** 2 / (2 * n);
  const reach = z * Math.sqrt((p * (1 - p)) / n + z ** 2 / (4 * n ** 2));
  const scale = 1 + z ** 2 / n;
  return {
    low: Math.max(0, (centre - reach) / scale),
    high: Math.min(1, (centre + reach) / scale),
  };
}

/**
 * Percentile interval of the mean by resampling whole clusters (Davison & Hinkley 1997, section 3.8; Efron &
 * Tibshirani 1993, chapter 13). Throws `Failure` `wrong-usage` without items.
 */
export function clusterBootstrap(
  items: readonly Item[],
  { seed, draws = 10_000, level = 0.95 }: { seed: number; draws?: number; level?: number },
): { low: number; high: number } {
  if (items.length === 0)
    throw new Failure(
      "wrong-usage",
      "Expected at least one scored question to resample, got none.",
    );
  const totals = clusterTotals(items);
  const random = seeded("cluster-bootstrap", seed);
  const means = Float64Array.from({ length: draws }, () => {
    let sum = 0;
    let count = 0;
    for (let i = 0; i < totals.length; i++) {
      const total = totals[Math.floor(random() * totals.length)] as (typeof totals)[number];
      sum += total.sum;
      count += total.count;
    }
    return sum / count;
  }).sort();
  return { low: quantile(means, (1 - level) / 2), high: quantile(means, (1 + level) / 2) };
}

/** Linear interpolation between order statistics (Hyndman & Fan 1996, type 7); `sorted` ascending, not empty. */
export function quantile(sorted: ArrayLike<number>, p: number): number {
  const place = p * (sorted.length - 1);
  const below = Math.floor(place);
  const low = sorted[below] as number;
  const high = sorted[Math.min(below + 1, sorted.length - 1)] as number;
  return low + (place - below) * (high - low);
}

export function tQuantile(p: number, df: number): number {
  return jstat.studentt.inv(p, df);
}

/** The chance that one of k draws without replacement from n attempts, c of them right, is right (Chen et al. 2021, arXiv 2107.03374, equation 1). */
export function passAtK(n: number, c: number, k: number): number {
  if (k < 1 || k > n || c < 0 || c > n)
    throw new Failure(
      "wrong-usage",
      `Expected pass@k with 1 <= k <= epochs and right answers from 0 to epochs, got k ${k}, ${c} right of ${n}.`,
      { n, c, k },
    );
  let allWrong = 1;
  for (let i = n - c + 1; i <= n; i++) allWrong *= Math.max(0, 1 - k / i);
  return 1 - allWrong;
}

/** One question's attempts, folded into one score each: the mean of the attempts, and pass@1 to pass@n. */
export function overEpochs(values: readonly number[]): { mean: number; passAt: number[] } {
  const right = values.filter((value) => value === 1).length;
  return {
    mean: values.reduce((sum, value) => sum + value, 0) / values.length,
    passAt: values.map((_, index) => passAtK(values.length, right, index + 1)),
  };
}

/**
 * The most frequent answer over the epochs of one question (self-consistency, Wang et al. 2023, arXiv 2203.11171);
 * of equally frequent ones the earliest; missing answers do not vote. Null where none voted.
 */
export function majority<T>(answers: readonly (T | null)[]): T | null {
  const votes = new Map<string, { answer: T; count: number }>();
  for (const answer of answers) {
    if (answer === null) continue;
    const key = JSON.stringify(answer);
    votes.set(key, { answer, count: (votes.get(key)?.count ?? 0) + 1 });
  }
  let winner: { answer: T; count: number } | undefined;
  for (const vote of votes.values())
    if (winner === undefined || vote.count > winner.count) winner = vote;
  return winner?.answer ?? null;
}

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
