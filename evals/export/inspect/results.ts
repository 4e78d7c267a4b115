import type { ScoredReply } from "../../benchmarks/scored-reply.ts";
import { scoredQuestions } from "../../score/metrics.ts";
import type { Results, SampleReply } from "../../score/read-results.ts";
import { type Accuracy, accuracyOf, scoreResults } from "../../score/score-run.ts";
import type { EvalResults, EvalSampleReductions } from "./log-schema.ts";
import { logId } from "./sample-id.ts";
import { facts } from "./spec.ts";

type Scored = ScoredReply & SampleReply;

/** The accuracy by each extractor; the first of `scored` is that of the run. */
export function toEvalResults(
  results: Results,
  scored: ReadonlyMap<string, readonly Scored[]>,
): EvalResults {
  return {
    total_samples: results.said.length + results.missing,
    completed_samples: results.said.filter(({ line }) => line?.error === undefined).length,
    scores: [...scored].map(([name, replies]) => {
      const accuracy = accuracyOf(scoredQuestions(results, replies));
      const unscored = replies.filter(({ score }) => score.value === null).length;
      return {
        name,
        scorer: name,
        ...reducer(results),
        scored_samples: replies.length - unscored,
        unscored_samples: unscored,
        params: {},
        metrics: Object.fromEntries(
          metricsOf(accuracy).map(([metric, value]) => [
            metric,
            { name: metric, value, params: {} },
          ]),
        ),
        metadata: facts({
          counted:
            "accuracy: over all questions, those without a score count as wrong; accuracy_answered: over those that an answer was read for; in both, every question weighs the same whatever its number of epochs; right: number of results with the full score; standard errors are clustered by video",
          right: accuracy.right,
          of_all: accuracy.ofAll,
          of_answered: accuracy.ofAnswered,
        }),
      };
    }),
    metadata: facts({ official: scoreResults(results).official }),
  };
}

function metricsOf({ ofAll, ofAnswered }: Accuracy): [string, number][] {
  return [
    ...(ofAll === null ? [] : [["accuracy", ofAll.mean] as [string, number]]),
    ...(ofAll?.se == null ? [] : [["stderr", ofAll.se] as [string, number]]),
    ...(ofAnswered === null ? [] : [["accuracy_answered", ofAnswered.mean] as [string, number]]),
    ...(ofAnswered?.se == null ? [] : [["stderr_answered", ofAnswered.se] as [string, number]]),
  ];
}

/** The mean of each sample over its epochs, by the extractor of the run. */
export function toReductions(
  results: Results,
  scored: ReadonlyMap<string, readonly Scored[]>,
): EvalSampleReductions[] {
  const [first] = scored;
  if (first === undefined) return [];
  const [scorer, replies] = first;
  const bySample = Map.groupBy(
    replies.filter(({ score }) => score.value !== null),
    ({ sample }) => sample.id,
  );
  const samples = [...bySample].map(([id, epochs]) => ({
    sample_id: logId(id),
    value: epochs.reduce((sum, { score }) => sum + (score.value ?? 0), 0) / epochs.length,
    history: [] as [],
  }));
  return [{ scorer, ...reducer(results), samples }];
}

function reducer({ epochs }: Results) {
  return epochs > 1 ? { reducer: "mean" as const } : {};
}
