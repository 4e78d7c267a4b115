import { isBlind as isBlindStrategy } from "../../graphs/define-strategy.ts";
import { storedSettings } from "../../src/core/settings.ts";
import { nameOf } from "../../src/models/name.ts";
import { hasScorer, type MetricItem, metricItems } from "../score/metrics.ts";
import type { Results } from "../score/read-results.ts";
import { scoreReplies } from "../score/score-replies.ts";
import { compareRuns, type Difference, type Pair } from "../statistics/paired-statistics.ts";
import { type Mean, meanShare } from "../statistics/statistics.ts";
import { haveSameScorers, isOfSameData } from "./require-comparable.ts";

/*
 * How much of an accuracy comes from the video: a run compared with a run of the same model without video (such as `blind`), on
 * the questions that both have.
 */

export interface BeyondBlind {
  run: string;
  blind: string;
  /** Whether both asked the same model. If not, part of the difference comes from the model. */
  same_model: boolean;
  /** Results of the blind run without an answer because of an error or a budget, which count as wrong, of all its results with a scorer. */
  blind_failed: { count: number; of: number };
  /** The run's accuracy minus the blind run's, paired by question and clustered by video. */
  difference: Difference;
  /** Accuracies on the common questions. The score of a question is the mean of its epochs. */
  accuracy: number;
  blind_accuracy: number;
  /** Accuracy on the questions that the blind run gets wrong (right in at most half of its epochs); null if there are no such questions. */
  where_blind_is_wrong: Mean | null;
}

/**
 * Compares every run with a blind run: of the same model if possible, else the first one. Returns an empty list if there is no
 * blind run. Leaves out runs of another benchmark, of other data, with other scorers, or without a common question.
 */
export function beyondBlind(runs: readonly Results[], { seed = 0 } = {}): BeyondBlind[] {
  const blind = runs.filter(isBlind);
  if (blind.length === 0) return [];
  const means = new Map(runs.map((run) => [run, meansOf(run)]));
  return runs
    .filter((run) => !isBlind(run))
    .flatMap((run) => {
      const candidates = blind.filter((one) => isOfSameData(run, one) && haveSameScorers(run, one));
      const base = candidates.find((one) => modelOf(one) === modelOf(run)) ?? candidates[0];
      if (base === undefined) return [];
      const [blindMeans, runMeans] = [means.get(base), means.get(run)];
      const pairs = [...(runMeans ?? [])].flatMap(([id, { value, cluster }]): Pair[] => {
        const without = blindMeans?.get(id);
        return without === undefined ? [] : [{ a: without.value, b: value, cluster }];
      });
      if (pairs.length === 0) return [];
      const wrong = pairs.filter(({ a }) => a <= 0.5);
      const share = (of: (pair: Pair) => number) =>
        pairs.reduce((sum, pair) => sum + of(pair), 0) / pairs.length;
      return [
        {
          run: run.name,
          blind: base.name,
          same_model: modelOf(base) === modelOf(run),
          blind_failed: failedOf(base),
          difference: compareRuns(pairs, { seed }),
          accuracy: share(({ b }) => b),
          blind_accuracy: share(({ a }) => a),
          where_blind_is_wrong:
            wrong.length === 0
              ? null
              : meanShare(wrong.map(({ b, cluster }) => ({ value: b, cluster }))),
        },
      ];
    });
}

/** One sentence for each run without a comparison because every blind run over its data has other scorers. */
export function otherBlindScorers(runs: readonly Results[]): string[] {
  const blind = runs.filter(isBlind);
  return runs.flatMap((run) => {
    const candidates = isBlind(run) ? [] : blind.filter((one) => isOfSameData(run, one));
    const [first] = candidates;
    if (first === undefined || candidates.some((one) => haveSameScorers(run, one))) return [];
    return [
      `${run.name} is not compared with the blind run ${first.name}: their answers are scored in different ways.`,
    ];
  });
}

/** One sentence for each blind run that lacks answers, which make every other run look better. */
export function failedBlindTexts(found: readonly BeyondBlind[]): string[] {
  const failed = new Map(found.map(({ blind, blind_failed }) => [blind, blind_failed]));
  return [...failed].flatMap(([blind, { count, of }]) =>
    count === 0
      ? []
      : [
          `${count} of ${of} results of the blind run ${blind} failed or were stopped by a budget, and count as wrong: the differences from it are too large.`,
        ],
  );
}

function failedOf({ benchmark, said }: Results): BeyondBlind["blind_failed"] {
  const scored = said.filter(({ sample }) => hasScorer(benchmark, sample));
  return {
    count: scored.filter(({ line, reply }) => line !== null && reply === null).length,
    of: scored.length,
  };
}

function isBlind({ header }: Results): boolean {
  return isBlindStrategy(String(header?.settings.strategy));
}

/** The reasoning model; null if it is not known. */
function modelOf({ header }: Results): string | null {
  const settings = storedSettings(header?.settings);
  return settings === null ? null : nameOf(settings, "reasoner");
}

function meansOf(run: Results): Map<string, MetricItem> {
  return new Map(metricItems("accuracy", run, scoreReplies(run)).map((item) => [item.id, item]));
}
