import { isBlind as isBlindStrategy } from "../../graphs/define-strategy.ts";
import { storedSettings } from "../../src/core/settings.ts";
import { nameOf } from "../../src/models/name.ts";
import { type MetricItem, metricItems } from "../score/metrics.ts";
import { type Results, scoreReplies } from "../score/read-results.ts";
import { compareRuns, type Difference, type Pair } from "../statistics/paired-statistics.ts";
import { type Mean, meanShare } from "../statistics/statistics.ts";

/*
 * How much of an accuracy is owed to the video: a run next to the run of the same model that sees none (such as `blind`), on the
 * questions that both have.
 */

export interface BeyondBlind {
  run: string;
  blind: string;
  /** Whether both asked the same model; else part of the difference is the model's. */
  same_model: boolean;
  /** The run's accuracy less the blind one's, paired by question and clustered by video. */
  difference: Difference;
  /** Accuracies on the common questions, each question counting as the mean of its epochs. */
  accuracy: number;
  blind_accuracy: number;
  /** Accuracy on the questions that the blind run gets wrong (right in at most half of its epochs); null without any. */
  where_blind_is_wrong: Mean | null;
}

/**
 * Every run next to a blind one: that of the same model if there is one, else the first. Empty without a blind run; runs
 * of another benchmark or other data, and those without a question in common with it, are left out.
 */
export function beyondBlind(runs: readonly Results[], { seed = 0 } = {}): BeyondBlind[] {
  const blind = runs.filter(isBlind);
  if (blind.length === 0) return [];
  const means = new Map(runs.map((run) => [run, meansOf(run)]));
  return runs
    .filter((run) => !isBlind(run))
    .flatMap((run) => {
      const there = blind.filter((one) => isOfSameData(run, one));
      const base = there.find((one) => modelOf(one) === modelOf(run)) ?? there[0];
      if (base === undefined) return [];
      const [own, seeing] = [means.get(base), means.get(run)];
      const pairs = [...(seeing ?? [])].flatMap(([id, { value, cluster }]): Pair[] => {
        const without = own?.get(id);
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

function isBlind({ header }: Results): boolean {
  return isBlindStrategy(String(header?.settings.strategy));
}

/** The model that reasons; null where none is known. */
function modelOf({ header }: Results): string | null {
  const settings = storedSettings(header?.settings);
  return settings === null ? null : nameOf(settings, "reasoner");
}

function isOfSameData(a: Results, b: Results): boolean {
  if (a.benchmark.name !== b.benchmark.name) return false;
  if (a.data === null || b.data === null) return true;
  return a.data.hash === b.data.hash && a.data.subset === b.data.subset;
}

function meansOf(run: Results): Map<string, MetricItem> {
  return new Map(metricItems("accuracy", run, scoreReplies(run)).map((item) => [item.id, item]));
}
