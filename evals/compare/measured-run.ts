import { stoppedBy } from "../run/run-account.ts";
import { unitOf } from "../run/selection.ts";
import { type MetricItem, type MetricName, metricItems } from "../score/metrics.ts";
import type { Results, SampleReply } from "../score/read-results.ts";
import { scoreReplies } from "../score/score-replies.ts";
import { answerKey } from "../scorers/answer-key.ts";

/* A run scored by one metric, as a whole or on the results that it shares with another run. */

/** A run scored by one metric. */
export interface MeasuredRun {
  run: Results;
  metric: MetricName;
  scored: readonly ScoredSaid[];
  items: readonly MetricItem[];
  /** Question id -> score, 0 to 1: by the majority if that is the metric, else by accuracy. */
  scores: ReadonlyMap<string, { value: number; cluster: string }>;
}

export type ScoredSaid = ReturnType<typeof scoreReplies>[number];

/** The answer to a sample in an epoch. */
export interface SampleAnswer {
  sample: string;
  epoch: number;
  cluster: string;
  /** The answer as text; equal answers have equal texts. Empty without an answer. */
  answer: string;
}

/** Two runs without the results that one of them lacks. */
export interface CommonResults {
  a: MeasuredRun;
  b: MeasuredRun;
  /** Results (a question in one epoch) that either run has, and those of them that failed, were stopped by a budget or are missing in one of the runs. */
  results: number;
  left_out: number;
}

/** Scores a run by a metric. Throws `Failure` `wrong-usage` as `metricItems`. */
export function measureRun(
  run: Results,
  metric: MetricName,
  scored: readonly ScoredSaid[] = scoreReplies(run),
): MeasuredRun {
  const items = metricItems(metric, run, scored);
  const judged = metric === "majority" ? items : metricItems("accuracy", run, scored);
  const scores = judged.map(
    ({ question, value, cluster }) => [question, { value, cluster }] as const,
  );
  return { run, metric, scored, items, scores: new Map(scores) };
}

export function answersOf({ run, scored }: MeasuredRun): SampleAnswer[] {
  return scored.map(({ sample, epoch, extraction }) => ({
    sample: sample.id,
    epoch,
    cluster: run.benchmark.cluster(sample),
    answer: extraction?.answer == null ? "" : answerKey(run.benchmark, sample, extraction.answer),
  }));
}

/** Both runs on the results that have a reply in both: for a question of several samples, to each of them. */
export function commonResults(a: MeasuredRun, b: MeasuredRun): CommonResults {
  const [inA, inB] = [completeness(a), completeness(b)];
  const all = new Set([...inA.keys(), ...inB.keys()]);
  const kept = new Set([...all].filter((key) => inA.get(key) === true && inB.get(key) === true));
  const within = ({ run, metric, scored }: MeasuredRun) =>
    measureRun(
      run,
      metric,
      scored.filter((said) => kept.has(resultKey(said))),
    );
  return { a: within(a), b: within(b), results: all.size, left_out: all.size - kept.size };
}

/** Result -> whether each sample of its question has a reply. */
function completeness({ run, scored }: MeasuredRun): Map<string, boolean> {
  const asked = Map.groupBy(run.samples, unitOf);
  return new Map(
    [...Map.groupBy(scored, resultKey)].map(([key, of]) => {
      const samples = asked.get(unitOf((of[0] as ScoredSaid).sample)) ?? [];
      return [key, of.length >= samples.length && of.every(hasReply)];
    }),
  );
}

function resultKey({ sample, epoch }: SampleReply): string {
  return JSON.stringify([unitOf(sample), epoch]);
}

function hasReply({ reply, line }: SampleReply): boolean {
  return reply !== null && (line === null || stoppedBy(line) === null);
}
