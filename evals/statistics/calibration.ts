import { countOf } from "../../src/core/count-of.ts";
import { Failure } from "../../src/core/errors.ts";
import { seeded, shuffle } from "../../src/core/random.ts";
import { type Mean, meanShare } from "./statistics.ts";

/* How well a confidence predicts that an answer is right. Pure functions; randomness comes from a seed. */

/** One answer with its confidence. */
export interface Rated {
  /** A probability from 0 to 1; `riskCoverage` reads only its order. */
  confidence: number;
  /** Score of the answer, 0 to 1. */
  value: number;
  /** The video. */
  cluster: string;
}

/** Mean squared distance of confidence and score (Brier 1950): 0 is best; always saying 0.5 gives 0.25. */
export function brierScore(items: readonly Rated[]): number {
  requireItems(items);
  return sum(items.map(({ confidence, value }) => (confidence - value) ** 2)) / items.length;
}

/** Answers with a confidence from `from` to below `to`; the last bin includes 1. */
export interface ReliabilityBin {
  from: number;
  to: number;
  /** Mean confidence of the answers. */
  confidence: number;
  /** Share of right answers, clustered by video. */
  accuracy: Mean;
}

/** Bins of equal width (DeGroot & Fienberg 1983); empty bins are left out. */
export function reliabilityBins(items: readonly Rated[], count = 10): ReliabilityBin[] {
  const binned = Map.groupBy(items, ({ confidence }) =>
    Math.min(count - 1, Math.floor(confidence * count + 1e-9)),
  );
  return [...binned]
    .sort(([a], [b]) => a - b)
    .map(([bin, members]) => ({
      from: bin / count,
      to: (bin + 1) / count,
      confidence: sum(members.map(({ confidence }) => confidence)) / members.length,
      accuracy: meanShare(members),
    }));
}

/**
 * Expected calibration error: mean distance of confidence and accuracy over bins of equal width, weighted by their
 * answers (Guo et al. 2017, arXiv 1706.04599, equation 3).
 */
export function calibrationError(items: readonly Rated[], count = 10): number {
  requireItems(items);
  return sum(
    reliabilityBins(items, count).map(
      ({ confidence, accuracy }) =>
        (accuracy.n / items.length) * Math.abs(accuracy.mean - confidence),
    ),
  );
}

/**
 * Calibration errors that a perfectly calibrated confidence would show, since the error is above 0 by chance: scores are
 * drawn with the stated probabilities (Bröcker & Smith 2007). Mean and 95th percentile. Answers of one video may be right
 * or wrong together, such as the epochs of a question; how often is not known. They are drawn from one uniform number, as
 * dependent as can be, so that the percentile is an upper bound.
 */
export function errorIfCalibrated(
  items: readonly Rated[],
  { seed, draws = 1000, count = 10 }: { seed: number; draws?: number; count?: number },
): { mean: number; p95: number } {
  requireItems(items);
  const random = seeded("calibrated", seed);
  // By confidence, so that the draws do not depend on the order of the answers.
  const sorted = items.toSorted(
    (a, b) =>
      a.confidence - b.confidence || (a.cluster < b.cluster ? -1 : Number(a.cluster > b.cluster)),
  );
  const places = new Map(
    [...new Set(sorted.map(({ cluster }) => cluster))].map((name, place) => [name, place]),
  );
  const bins = [
    ...Map.groupBy(sorted, ({ confidence }) =>
      Math.min(count - 1, Math.floor(confidence * count + 1e-9)),
    ).values(),
  ].map((bin) =>
    bin.map(({ confidence, cluster }) => ({ confidence, place: places.get(cluster) as number })),
  );
  const errors = Array.from({ length: draws }, () => {
    const uniform = Float64Array.from({ length: places.size }, random);
    let error = 0;
    for (const bin of bins) {
      let distance = 0;
      for (const { confidence, place } of bin)
        distance += ((uniform[place] as number) < confidence ? 1 : 0) - confidence;
      error += Math.abs(distance);
    }
    return error / items.length;
  }).sort((a, b) => a - b);
  return { mean: sum(errors) / draws, p95: errors[Math.ceil(0.95 * draws) - 1] as number };
}

/** Wrong answers among the most confident ones. */
export interface RiskCoverage {
  /**
   * From the most confident answers to all: the share that is answered, and the share of those that is wrong. One point
   * for each distinct confidence.
   */
  curve: { confidence: number; coverage: number; risk: number }[];
  /** Area under the curve over all answers, averaged over the orders of equal confidences; 0 is best. */
  aurc: number;
  /** Area if confidence were unrelated to the score: the risk of all answers. */
  random: number;
  /** Area if every right answer were more confident than every wrong one. */
  best: number;
}

/**
 * Risk-coverage curve and its area (Geifman & El-Yaniv 2017, arXiv 1705.08500; Geifman et al. 2019, arXiv 1805.08206):
 * the mean over k of the risk of the k most confident answers. Answers of equal confidence share their risk evenly, which
 * is the mean over all their orders.
 */
export function riskCoverage(items: readonly Rated[]): RiskCoverage {
  requireItems(items);
  const levels = [...Map.groupBy(items, ({ confidence }) => confidence)]
    .sort(([a], [b]) => b - a)
    .map(([confidence, members]) => ({
      confidence,
      count: members.length,
      loss: sum(members.map(({ value }) => 1 - value)),
    }));
  const curve: RiskCoverage["curve"] = [];
  let taken = 0;
  let lost = 0;
  let area = 0;
  for (const { confidence, count, loss } of levels) {
    for (let more = 1; more <= count; more++)
      area += (lost + (loss * more) / count) / (taken + more);
    taken += count;
    lost += loss;
    curve.push({ confidence, coverage: taken / items.length, risk: lost / taken });
  }
  let ranked = 0;
  let best = 0;
  const losses = items.map(({ value }) => 1 - value).sort((a, b) => a - b);
  for (const [place, loss] of losses.entries()) {
    ranked += loss;
    best += ranked / (place + 1);
  }
  const n = items.length;
  return { curve, aurc: area / n, random: lost / n, best: best / n };
}

/** Fits the share of right answers as a rising function of confidence (isotonic regression by pooling adjacent violators). */
export function fitIsotonic(items: readonly Rated[]): (confidence: number) => number {
  requireItems(items);
  const levels = [...Map.groupBy(items, ({ confidence }) => confidence)]
    .sort(([a], [b]) => a - b)
    .map(([confidence, members]) => ({
      from: confidence,
      to: confidence,
      count: members.length,
      total: sum(members.map(({ value }) => value)),
    }));
  const blocks: typeof levels = [];
  for (const level of levels) {
    let block = { ...level };
    for (;;) {
      const before = blocks.at(-1);
      if (before === undefined || before.total / before.count < block.total / block.count) break;
      blocks.pop();
      block = {
        from: before.from,
        to: block.to,
        count: before.count + block.count,
        total: before.total + block.total,
      };
    }
    blocks.push(block);
  }
  const share = ({ total, count }: (typeof blocks)[number]) => total / count;
  return (confidence) => {
    const above = blocks.findIndex(({ to }) => confidence <= to);
    const block = blocks[above];
    if (block === undefined) return share(blocks.at(-1) as (typeof blocks)[number]);
    const before = blocks[above - 1];
    if (confidence >= block.from || before === undefined) return share(block);
    const part = (confidence - before.to) / (block.from - before.to);
    return share(before) + part * (share(block) - share(before));
  };
}

/**
 * The same answers with a confidence that was fitted on other videos: videos are split at random into `folds` parts, and
 * each part gets the isotonic fit of the others. Throws `Failure` `wrong-usage` with fewer videos than folds.
 */
export function calibrateOnOtherVideos(
  items: readonly Rated[],
  { seed, folds = 5 }: { seed: number; folds?: number },
): Rated[] {
  // By name first, so that the parts do not depend on the order of the answers.
  const names = [...new Set(items.map(({ cluster }) => cluster))].sort();
  const videos = shuffle(names, seeded("folds", seed));
  if (videos.length < folds)
    throw new Failure(
      "wrong-usage",
      `Cannot split ${countOf(videos.length, "video")} into ${folds} parts.`,
      { videos: videos.length, folds },
    );
  const foldOf = new Map(videos.map((video, place) => [video, place % folds]));
  const fits = Array.from({ length: folds }, (_, fold) =>
    fitIsotonic(items.filter(({ cluster }) => foldOf.get(cluster) !== fold)),
  );
  return items.map((item) => {
    const calibrated = fits[foldOf.get(item.cluster) as number] as (confidence: number) => number;
    return { ...item, confidence: calibrated(item.confidence) };
  });
}

function requireItems(items: readonly Rated[]): void {
  if (items.length === 0)
    throw new Failure("wrong-usage", "Cannot measure calibration: no answer has a confidence.");
}

function sum(values: readonly number[]): number {
  return values.reduce((total, value) => total + value, 0);
}
