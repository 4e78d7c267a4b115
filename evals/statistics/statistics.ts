import jstat from "jstat";
import { Failure } from "../../src/core/errors.ts";
import { seeded } from "../../src/core/random.ts";

/*
 * Means with their uncertainty, and scores over repeated epochs. Pure functions; randomness comes from a seed.
 * `paired-statistics.ts` compares two runs.
 */

/** One question's score and its cluster: the video, whose questions are not independent of each other. */
export interface Item {
  value: number;
  cluster: string;
}

/**
 * Below this number of clusters, bootstrap intervals and ratios are not reported ("n too small"), because bootstrap
 * intervals are too narrow (Cameron, Gelbach & Miller 2008, section III). Intervals of means are valid from 2 clusters.
 */
export const FEWEST_CLUSTERS = 20;

/** A mean with its interval. */
export interface Mean {
  mean: number;
  /** Clustered standard error; null for a single cluster, where it cannot be estimated. */
  se: number | null;
  /** 95 % interval; null for a single cluster. */
  low: number | null;
  high: number | null;
  n: number;
  clusters: number;
  /** Number of independent questions with the same information; null unless `method` is `wilson`. */
  effective_n: number | null;
  /** How the interval was computed: `wilson` by `meanShare`, `t` by `clusteredMean`. */
  method: "wilson" | "t" | "none";
}

interface ClusterTotal {
  sum: number;
  count: number;
}

/** Sum and count of each cluster: sufficient for the mean, its standard error and its bootstrap. */
export function clusterTotals(items: readonly Item[]): ClusterTotal[] {
  return [...Map.groupBy(items, (item) => item.cluster).values()].map((members) => ({
    sum: members.reduce((sum, item) => sum + item.value, 0),
    count: members.length,
  }));
}

/**
 * Mean of values of any size with clustered standard error (Miller 2024, arXiv 2411.00640, equation 4) with the
 * small-sample factor G/(G-1), and an interval by t with G-1 degrees of freedom (Cameron & Miller 2015, section VI).
 * For shares from 0 to 1 use `meanShare`. Throws `Failure` `wrong-usage` if there are no items.
 */
export function clusteredMean(items: readonly Item[], level = 0.95): Mean {
  const { mean, se, n, clusters } = pooled(items);
  if (se === null)
    return { mean, se, low: null, high: null, n, clusters, effective_n: null, method: "none" };
  const reach = tQuantile((1 + level) / 2, clusters - 1) * se;
  const [low, high] = [mean - reach, mean + reach];
  return { mean, se, low, high, n, clusters, effective_n: null, method: "t" };
}

function pooled(items: readonly Item[]) {
  if (items.length === 0)
    throw new Failure("wrong-usage", "Cannot compute a mean: no question has a score.");
  const totals = clusterTotals(items);
  const n = items.length;
  const clusters = totals.length;
  const mean = totals.reduce((sum, total) => sum + total.sum, 0) / n;
  const spread = totals.reduce((sum, total) => sum + (total.sum - total.count * mean) ** 2, 0);
  const se = clusters < 2 ? null : Math.sqrt((spread * clusters) / (clusters - 1)) / n;
  return { mean, se, n, clusters, totals };
}

/**
 * Mean of values from 0 to 1, clustered. The interval is Wilson's score interval on the effective number of questions,
 * with t on clusters minus one in place of z (Dean & Pagano 2015, J. Survey Stat. Methodol. 3, 484; Korn & Graubard
 * 1998). It lies within 0 and 1, and has a positive width even if all values are equal.
 *
 * The design effect comes from the intra-cluster correlation, `1 + icc * (m - 1)` with m the mean cluster size that a
 * question meets (Kish 1965). The plain estimate fails with unequal clusters and a rare outcome (91 % coverage at 50
 * clusters, correlation 0.3, accuracy 0.05), because it is low whenever the mean is. So the correlation is estimated
 * with one cluster of correlation 1 added to the k clusters that contain the rarer outcome, the only informative
 * ones: `icc' = (k * icc + 1) / (k + 1)`, icc cut to 0..1. Unanimous values (k = 0) get correlation 1. Clusters of one
 * question have design effect 1. `test/soak/statistics.soak.ts` measures the coverage.
 *
 * Throws `Failure` `wrong-usage` if there are no items, or for a value outside 0 to 1.
 *
 * @example
 * meanShare([{ value: 1, cluster: "a" }, { value: 0, cluster: "b" }]).mean; // 0.5
 */
export function meanShare(items: readonly Item[], level = 0.95): Mean {
  const outside = items.find(({ value }) => !(value >= 0 && value <= 1));
  if (outside !== undefined)
    throw new Failure("wrong-usage", `Invalid score ${outside.value}: scores are from 0 to 1.`);
  const { mean, se, n, clusters, totals } = pooled(items);
  if (se === null)
    return { mean, se, low: null, high: null, n, clusters, effective_n: null, method: "none" };
  const effective_n = effectiveNumber(items, totals, mean, se);
  const t = tQuantile((1 + level) / 2, clusters - 1);
  const { low, high } = scoreInterval(mean, effective_n, t);
  return { mean, se, low, high, n, clusters, effective_n, method: "wilson" };
}

function effectiveNumber(
  items: readonly Item[],
  totals: readonly ClusterTotal[],
  mean: number,
  se: number,
): number {
  const n = items.length;
  const size = totals.reduce((sum, { count }) => sum + count ** 2, 0) / n;
  const variance = items.reduce((sum, { value }) => sum + (value - mean) ** 2, 0) / n;
  // All values are equal: each cluster counts once.
  if (variance < 1e-12) return n / size;
  const icc = size > 1 ? ((se ** 2 * n) / variance - 1) / (size - 1) : 0;
  const rarer = Math.min(
    totals.filter(({ sum }) => sum > 1e-9).length,
    totals.filter(({ sum, count }) => sum < count - 1e-9).length,
  );
  const adjusted = (rarer * Math.min(1, Math.max(0, icc)) + 1) / (rarer + 1);
  const designEffect = 1 + adjusted * (size - 1);
  // For values of 0 and 1, `mean * (1 - mean)` is the variance; means of epochs vary less.
  return ((n / designEffect) * (mean * (1 - mean))) / variance;
}

/** Score interval of a proportion (Wilson 1927); `successes` of `n` independent trials. */
export function wilson(successes: number, n: number, level = 0.95): { low: number; high: number } {
  return scoreInterval(successes / n, n, jstat.normal.inv((1 + level) / 2, 0, 1));
}

/** Wilson's interval around the share `p` of `n` trials, which need not be whole; `reach` in standard errors. */
function scoreInterval(p: number, n: number, reach: number): { low: number; high: number } {
  const centre = p + reach ** 2 / (2 * n);
  const half = reach * Math.sqrt((p * (1 - p)) / n + reach ** 2 / (4 * n ** 2));
  const scale = 1 + reach ** 2 / n;
  return {
    low: Math.max(0, (centre - half) / scale),
    high: Math.min(1, (centre + half) / scale),
  };
}

/**
 * Percentile interval of the mean by resampling whole clusters (Davison & Hinkley 1997, section 3.8; Efron &
 * Tibshirani 1993, chapter 13). Throws `Failure` `wrong-usage` if there are no items.
 */
export function clusterBootstrap(
  items: readonly Item[],
  { seed, draws = 10_000, level = 0.95 }: { seed: number; draws?: number; level?: number },
): { low: number; high: number } {
  if (items.length === 0)
    throw new Failure("wrong-usage", "Cannot resample: no question has a score.");
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

/**
 * Probability that at least one of k attempts, drawn without replacement from n attempts of which c are right, is right (Chen et
 * al. 2021, arXiv 2107.03374, equation 1). Throws `Failure` `wrong-usage` for numbers out of range.
 */
export function passAtK(n: number, c: number, k: number): number {
  if (k < 1 || k > n || c < 0 || c > n)
    throw new Failure(
      "wrong-usage",
      `Invalid pass@${k} with ${c} of ${n} epochs right: k must be from 1 to the number of epochs, and the right epochs from 0 to that number.`,
      { n, c, k },
    );
  let allWrong = 1;
  for (let i = n - c + 1; i <= n; i++) allWrong *= Math.max(0, 1 - k / i);
  return 1 - allWrong;
}
