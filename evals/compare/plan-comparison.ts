import { Failure } from "../../src/core/errors.ts";
import { type MetricName, metricItems } from "../score/metrics.ts";
import type { Results } from "../score/read-results.ts";
import { scoreReplies } from "../score/score-replies.ts";
import type { Pair } from "../statistics/paired-statistics.ts";
import {
  clusteredSize,
  mcnemarSize,
  type PairSpread,
  pairSpread,
  pilotSafety,
  type Size,
  signFlipPower,
} from "../statistics/sample-size.ts";
import { pairItems } from "./contrasts.ts";
import { requireComparable } from "./require-comparable.ts";

/** What a study of two strategies needs, for each difference that it should find. */
export interface ComparisonPlan {
  metric: MetricName;
  /** The two runs; null for assumed numbers. */
  pilot: { a: string; b: string } | null;
  spread: PairSpread;
  power: number;
  /** Level of each test, after the division by the number of comparisons. */
  alpha: number;
  comparisons: number;
  questions_per_video: number;
  sizes: PlannedSize[];
}

/** The number of questions that a comparison needs. */
export interface PlannedSize {
  /** As a share: 0.05 is 5 points. */
  difference: number;
  /**
   * By the clustered t-test, which the sign-flip permutation by video follows closely; null above ten million videos, or
   * if there is a `range`.
   */
  clustered: Size | null;
  /** The same with the upper 80 % limit of the pilot's variance; null without a pilot, for one video, or if there is a `range`. */
  cautious: Size | null;
  /**
   * The same under two assumptions, if the pilot cannot measure the correlation within a video and videos have several
   * questions: correlation 0 (questions of a video are independent), and 1 (they all differ alike). Else null.
   */
  range: { correlation_0: Size | null; correlation_1: Size | null } | null;
  /** Questions, one per video, by the exact McNemar test; null for scores between 0 and 1, or above 200,000 questions. */
  mcnemar: number | null;
  /** Simulated power of the sign-flip permutation at the size of `clustered`; null if it was not simulated. */
  simulated: { power: number; low: number; high: number; studies: number } | null;
}

/** How a comparison is planned. */
export interface PlanOptions {
  /** Differences to find, as shares above 0 and up to 1. */
  differences: readonly number[];
  /** Default 0.8. */
  power?: number;
  /** Two-sided, default 0.05. */
  alpha?: number;
  /** Strategies that are compared with the first: each is tested at alpha divided by this number, Holm's first step. Default 1. */
  comparisons?: number;
  /** Default: the pilot's mean; without a pilot 1. */
  questionsPerVideo?: number;
  /** Default 0. */
  seed?: number;
}

/** Simulated studies take seconds above this number of videos. */
const MOST_SIMULATED = 5000;

/**
 * Plans a comparison from a pilot: two runs over the same questions. Throws `Failure` `wrong-usage` for runs over different
 * data, with different scorers, or without a common question.
 *
 * @example
 * planFromPilot([direct, rrd], "accuracy", { differences: [0.05] }).sizes[0]?.clustered?.videos;
 */
export function planFromPilot(
  [a, b]: readonly [Results, Results],
  metric: MetricName,
  options: PlanOptions,
): ComparisonPlan {
  requireComparable(a, b);
  const items = (run: Results) => metricItems(metric, run, scoreReplies(run));
  const pairs = pairItems(items(a), items(b));
  if (pairs.length === 0)
    throw new Failure(
      "wrong-usage",
      `Cannot plan from ${a.name} and ${b.name}: they have no question in common.`,
    );
  const spread = pairSpread(pairs);
  if (spread.square === 0)
    throw new Failure(
      "wrong-usage",
      `Cannot plan from ${a.name} and ${b.name}: every question has the same score in both. Use runs that differ, or give the expected share of questions with different scores with --discordant.`,
    );
  if (!spread.binary && spread.square - spread.difference ** 2 < 1e-12)
    throw new Failure(
      "wrong-usage",
      `Cannot plan from ${a.name} and ${b.name}: every question differs by the same part of the score, so the spread of the differences is not known. Use runs with more questions.`,
    );
  return { metric, pilot: { a: a.name, b: b.name }, ...sizes(spread, options, pairs) };
}

/** Plans a comparison from assumed numbers: the share of questions with different scores, and the correlation within a video. */
export function planFromAssumptions(
  { discordant, correlation }: { discordant: number; correlation: number },
  options: PlanOptions,
): ComparisonPlan {
  const spread: PairSpread = {
    difference: 0,
    square: discordant,
    binary: true,
    correlation,
    unmeasured: null,
    size: 0,
    questions: 0,
    videos: 0,
  };
  return { metric: "accuracy", pilot: null, ...sizes(spread, options, null) };
}

function sizes(spread: PairSpread, options: PlanOptions, pairs: readonly Pair[] | null) {
  const { differences, power = 0.8, comparisons = 1, seed = 0 } = options;
  const alpha = (options.alpha ?? 0.05) / comparisons;
  const perVideo =
    options.questionsPerVideo ?? (pairs === null ? 1 : spread.questions / spread.videos);
  const ofPilot = pairs !== null && options.questionsPerVideo === undefined;
  // Videos are planned with the numbers of questions of the pilot's, or all with the same number.
  const size = ofPilot ? spread.size : perVideo;
  const safety = pairs === null ? null : pilotSafety(spread.videos);
  const isUnknown = spread.unmeasured !== null && perVideo > 1;
  return {
    spread,
    power,
    alpha,
    comparisons,
    questions_per_video: perVideo,
    sizes: differences.map((difference): PlannedSize => {
      const target = { difference, power, alpha };
      const assuming = (correlation: number) =>
        clusteredSize({ ...spread, correlation }, target, perVideo, { size });
      const clustered = isUnknown ? null : clusteredSize(spread, target, perVideo, { size });
      const canSimulate = ofPilot && clustered !== null && clustered.videos <= MOST_SIMULATED;
      return {
        difference,
        clustered,
        cautious:
          safety === null || isUnknown
            ? null
            : clusteredSize(spread, target, perVideo, { size, safety }),
        range: isUnknown ? { correlation_0: assuming(0), correlation_1: assuming(1) } : null,
        mcnemar: spread.binary ? mcnemarSize(spread.square, target) : null,
        simulated: canSimulate ? signFlipPower(pairs, target, clustered.videos, { seed }) : null,
      };
    }),
  };
}
