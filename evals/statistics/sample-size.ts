import jstat from "jstat";
import { seeded } from "../../src/core/random.ts";
import { type Pair, signFlip, smallestDetectable } from "./paired-statistics.ts";
import { clusteredMean, clusterTotals, FEWEST_CLUSTERS, wilson } from "./statistics.ts";

/* How many questions and videos a paired comparison needs. Differences are shares: 0.05 is 5 points. */

/** How the scores of two runs differ over the same questions. */
export interface PairSpread {
  /** Mean of b - a. */
  difference: number;
  /** Mean of (b - a) squared; for scores of 0 and 1, the share of questions with different scores. */
  square: number;
  /** Whether all scores are 0 or 1. */
  binary: boolean;
  /** Correlation of the differences of one video, 0 to 1; null if every video has one question, or if `unmeasured`. */
  correlation: number | null;
  /** Why the correlation cannot be measured: all questions are about one video, or all differences are equal; else null. */
  unmeasured: "one-video" | "equal-differences" | null;
  /** Questions of the video of a question, on average: above `questions / videos` if videos have different numbers. */
  size: number;
  questions: number;
  videos: number;
}

/** The requirements of a plan. */
export interface Target {
  /** True difference to find, above 0 and at most 1. */
  difference: number;
  /** Probability of finding it, default 0.8. */
  power?: number;
  /** Two-sided level of the test, default 0.05. */
  alpha?: number;
}

/** Measures the spread of a pilot. Throws `Failure` `wrong-usage` if there are no pairs. */
export function pairSpread(pairs: readonly Pair[]): PairSpread {
  const items = pairs.map(({ a, b, cluster }) => ({ value: b - a, cluster }));
  const { mean, se, n, clusters } = clusteredMean(items);
  const square = items.reduce((sum, { value }) => sum + value ** 2, 0) / n;
  const variance = square - mean ** 2;
  const size = clusterTotals(items).reduce((sum, { count }) => sum + count ** 2, 0) / n;
  const crowded = size > 1;
  const unmeasured = !crowded
    ? null
    : se === null
      ? "one-video"
      : variance < 1e-12
        ? "equal-differences"
        : null;
  const design = se === null ? 1 : (se ** 2 * n) / variance;
  return {
    difference: mean,
    square,
    binary: pairs.every(({ a, b }) => (a === 0 || a === 1) && (b === 0 || b === 1)),
    correlation:
      crowded && unmeasured === null ? Math.min(1, Math.max(0, (design - 1) / (size - 1))) : null,
    unmeasured,
    size,
    questions: n,
    videos: clusters,
  };
}

/**
 * Variance of one question's difference if the true difference is `difference`. Scores of 0 and 1 keep their share of
 * different scores, which is never below the difference; other scores keep their variance.
 */
function varianceAt(spread: PairSpread, difference: number): number {
  const { square, binary } = spread;
  if (!binary) return Math.max(0, square - spread.difference ** 2);
  return Math.max(square, difference) - difference ** 2;
}

/** A number of questions, and of the videos that they are about. */
export interface Size {
  questions: number;
  videos: number;
}

/** Beyond this number of videos, a plan is not useful. */
const MOST_VIDEOS = 10_000_000;

/**
 * Videos with `perVideo` questions on average with which the clustered t-test finds the difference (Bloom 1995; design
 * effect `1 + correlation * (size - 1)`, Kish 1965). `size`: as in `PairSpread`, by default every video has `perVideo`.
 * `safety` multiplies the variance. Null above ten million videos.
 */
export function clusteredSize(
  spread: PairSpread,
  { difference, power = 0.8, alpha = 0.05 }: Target,
  perVideo: number,
  { size = perVideo, safety = 1 }: { size?: number; safety?: number } = {},
): Size | null {
  const design = 1 + (spread.correlation ?? 0) * (size - 1);
  const variance = (safety * varianceAt(spread, difference) * design) / perVideo;
  const finds = (videos: number) =>
    smallestDetectable(Math.sqrt(variance / videos), videos - 1, alpha, power) <= difference;
  const videos = smallest(2, MOST_VIDEOS, finds);
  return videos === null ? null : { videos, questions: Math.ceil(videos * perVideo) };
}

/**
 * Factor between the variance of a pilot and its upper confidence limit, since a plan on the plain estimate of a small
 * pilot is too small half of the time (Browne 1995, Statistics in Medicine 14, 1933). Null for a single video.
 */
export function pilotSafety(videos: number, level = 0.8): number | null {
  if (videos < 2) return null;
  return (videos - 1) / jstat.chisquare.inv(1 - level, videos - 1);
}

/**
 * Power of the exact McNemar test, at one question per video: `discordant` is the share of questions with different
 * scores. It is summed over the number of such questions (Connor 1987, Biometrics 43, 207), without an approximation.
 */
export function mcnemarPower(
  questions: number,
  discordant: number,
  difference: number,
  alpha = 0.05,
): number {
  if (discordant <= 0) return 0;
  const toB = Math.min(1, (1 + difference / discordant) / 2);
  const spread = 8 * Math.sqrt(questions * discordant * (1 - discordant)) + 8;
  const from = Math.max(0, Math.floor(questions * discordant - spread));
  const to = Math.min(questions, Math.ceil(questions * discordant + spread));
  let power = 0;
  let critical = -1;
  for (let count = from; count <= to; count++) {
    while (2 * jstat.binomial.cdf(critical + 1, count, 0.5) <= alpha) critical++;
    if (critical < 0) continue;
    const rejects =
      jstat.binomial.cdf(critical, count, toB) + jstat.binomial.cdf(critical, count, 1 - toB);
    power += binomialShare(count, questions, discordant) * rejects;
  }
  return power;
}

/** Largest number of questions that `mcnemarSize` tries. */
const MOST_QUESTIONS = 200_000;
/** The exact power falls slightly at some sizes while it rises overall; the plan is right from its size on. */
const SAW_TEETH = 40;

/** Smallest number of questions, one per video, from which the exact McNemar test has the power. Null above 200,000. */
export function mcnemarSize(
  discordant: number,
  { difference, power = 0.8, alpha = 0.05 }: Target,
): number | null {
  const share = Math.max(discordant, difference);
  const reaches = (questions: number) => mcnemarPower(questions, share, difference, alpha) >= power;
  const about = smallest(1, MOST_QUESTIONS, reaches);
  if (about === null) return null;
  for (let questions = about + SAW_TEETH; questions >= Math.max(1, about - SAW_TEETH); questions--)
    if (!reaches(questions)) return questions + 1;
  return Math.max(1, about - SAW_TEETH);
}

/**
 * Share of simulated studies in which the sign-flip permutation by video finds the difference. Studies draw whole videos
 * of the pilot, with all differences moved so that their mean is the difference. Null if the pilot has fewer than 20
 * videos.
 */
export function signFlipPower(
  pairs: readonly Pair[],
  { difference, alpha = 0.05 }: Target,
  videos: number,
  { seed, studies = 400 }: { seed: number; studies?: number },
): { power: number; low: number; high: number; studies: number } | null {
  const groups = [...Map.groupBy(pairs, ({ cluster }) => cluster).values()];
  if (groups.length < FEWEST_CLUSTERS) return null;
  const shift = difference - pairSpread(pairs).difference;
  const random = seeded("power", seed);
  let found = 0;
  for (let study = 0; study < studies; study++) {
    const drawn = Array.from({ length: videos }, (_, video) => {
      const group = groups[Math.floor(random() * groups.length)] as Pair[];
      return group.map(({ a, b }) => ({ a: 0, b: b - a + shift, cluster: String(video) }));
    }).flat();
    if (signFlip(drawn, { seed: study, draws: 999 }).p <= alpha) found++;
  }
  return { power: found / studies, ...wilson(found, studies), studies };
}

/** The smallest whole number from which `isEnough` is true, by bisection; null if it is false at `most`. */
function smallest(least: number, most: number, isEnough: (n: number) => boolean): number | null {
  let high = least;
  while (high < most && !isEnough(high)) high = Math.min(most, high * 2);
  if (!isEnough(high)) return null;
  let low = least - 1;
  while (high - low > 1) {
    const middle = Math.floor((low + high) / 2);
    if (middle >= least && isEnough(middle)) high = middle;
    else low = middle;
  }
  return high;
}

/** Probability of `k` successes in `n` trials, by logarithms: it neither overflows nor vanishes for large `n`. */
function binomialShare(k: number, n: number, p: number): number {
  if (p >= 1) return k === n ? 1 : 0;
  const ways = jstat.gammaln(n + 1) - jstat.gammaln(k + 1) - jstat.gammaln(n - k + 1);
  return Math.exp(ways + k * Math.log(p) + (n - k) * Math.log1p(-p));
}
