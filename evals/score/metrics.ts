import { Failure } from "../../src/core/errors.ts";
import { majorityVote } from "../../src/core/vote.ts";
import type { Benchmark } from "../benchmarks/define-benchmark.ts";
import type { Sample } from "../benchmarks/sample.ts";
import { scoreExtraction } from "../benchmarks/score-reply.ts";
import {
  questionMeans,
  type ScoredQuestion,
  type ScoredReply,
} from "../benchmarks/scored-reply.ts";
import { epochsOf } from "../run/option-orders.ts";
import { unitOf } from "../run/selection.ts";
import { answerKey } from "../scorers/answer-key.ts";
import { passAtK } from "../statistics/statistics.ts";
import type { Results, SampleReply } from "./read-results.ts";

/*
 * Metrics of a run. Every metric is a mean of items from 0 to 1, so that it has an interval clustered by video and can be
 * paired between runs.
 */

/** A score that runs can be compared by. */
export type MetricName =
  | "accuracy"
  | "step-accuracy"
  | "macro-step-accuracy"
  | "majority"
  | `pass@${number}`;

/** Names for `--metric`. */
export const METRICS = "accuracy, step-accuracy, macro-step-accuracy, majority or pass@k";

/** One item of a metric's mean: a question, or a position of an order (`step-accuracy`). */
export interface MetricItem {
  /** Unique in the run; the same in every run over the same data. */
  id: string;
  question: string;
  cluster: string;
  groups: Record<string, string>;
  /** 0 to 1; 0 if it could not be scored. */
  value: number;
}

/** Parses the name of a metric. Throws `Failure` `wrong-usage` for an unknown name. */
export function readMetric(given: string): MetricName {
  switch (given) {
    case "accuracy":
    case "step-accuracy":
    case "macro-step-accuracy":
    case "majority":
      return given;
  }
  const k = Number(/^pass@([1-9]\d{0,3})$/.exec(given)?.[1]);
  if (k >= 1) return `pass@${k}`;
  throw new Failure(
    "wrong-usage",
    `Invalid --metric ${JSON.stringify(given)}: use ${METRICS}, for example pass@3.`,
    { given },
  );
}

/** The name of a metric in tables. */
export function metricTitle(metric: MetricName): string {
  if (metric === "step-accuracy") return "step accuracy (micro)";
  return metric === "macro-step-accuracy" ? "step accuracy (macro)" : metric;
}

/** Whether a measure ranges from -1 to 1; other measures are shares. */
export function isCoefficient(measure: string): boolean {
  return measure.endsWith("_tau");
}

type ScoredSaid = ScoredReply & SampleReply;

/**
 * The items of a metric over a run's scored replies.
 *
 * - `accuracy`: a question's mean over its epochs.
 * - `step-accuracy`: each position of an order, its mean over the epochs (micro: long orders weigh more).
 * - `macro-step-accuracy`: a question's share of right positions.
 * - `majority`: the most frequent answer over the epochs, right or wrong; ties go to the lowest epoch. Open answers are
 *   the same if their scorer has equal keys for them.
 * - `pass@k`: the probability that at least one of k epochs is right, over questions with all epochs done.
 *
 * Throws `Failure` `wrong-usage` for a metric that the benchmark or the number of epochs does not allow.
 */
export function metricItems(
  metric: MetricName,
  run: Results,
  scored: readonly ScoredSaid[],
): MetricItem[] {
  switch (metric) {
    case "accuracy":
      return questionMeans(scoredQuestions(run, scored)).map(toItem);
    case "step-accuracy":
      return positionMeans(run, scored);
    case "macro-step-accuracy":
      return [...Map.groupBy(positionMeans(run, scored), ({ question }) => question).values()].map(
        (positions) => ({
          ...(positions[0] as MetricItem),
          id: positions[0]?.question ?? "",
          value: positions.reduce((sum, { value }) => sum + value, 0) / positions.length,
        }),
      );
    case "majority":
      return questionMeans(
        run.benchmark.questions(
          majorityVotes(scored, run.benchmark).filter(({ sample }) =>
            hasScorer(run.benchmark, sample),
          ),
        ),
      ).map(toItem);
    default:
      return passAtKItems(run, scored, Number(metric.slice("pass@".length)));
  }
}

/** Every question that has a scorer, in every epoch, as the benchmark counts questions. */
export function scoredQuestions(
  { benchmark }: Results,
  scored: readonly ScoredSaid[],
): ScoredQuestion[] {
  const scorable = scored.filter(({ sample }) => hasScorer(benchmark, sample));
  return [...Map.groupBy(scorable, ({ epoch }) => epoch).values()].flatMap((items) =>
    benchmark.questions(items),
  );
}

/** Whether a scorer was chosen for the answers to a sample; other samples are in no metric. */
export function hasScorer(
  { scorers }: Pick<Benchmark, "scorers">,
  { task }: Pick<Sample, "task">,
): boolean {
  return scorers[task] !== undefined;
}

function toItem(question: Omit<MetricItem, "question">): MetricItem {
  return { ...question, question: question.id };
}

function positionMeans({ name, benchmark }: Results, scored: readonly ScoredSaid[]): MetricItem[] {
  const { positions } = benchmark;
  if (positions === undefined)
    throw new Failure(
      "wrong-usage",
      `Step accuracy needs orders of clips, but ${name} is a run of ${benchmark.title}, which has no ordering questions.`,
      { run: name, benchmark: benchmark.name },
    );
  return [...Map.groupBy(scored, ({ sample }) => sample.id)].flatMap(([question, epochs]) => {
    const { sample } = epochs[0] as ScoredSaid;
    const right = epochs.map((item) => positions(item));
    return (right[0] ?? []).map((_, place) => ({
      id: `${question} position ${place + 1}`,
      question,
      cluster: benchmark.cluster(sample),
      groups: benchmark.groups(sample),
      value: right.filter((of) => of[place]).length / epochs.length,
    }));
  });
}

/** Each sample once, with the most frequent answer over its epochs, and the number of right epochs. */
export function majorityVotes(
  scored: readonly (ScoredReply & { epoch: number })[],
  benchmark: Benchmark,
): (ScoredReply & { right: number })[] {
  return [...Map.groupBy(scored, ({ sample }) => sample.id).values()].map((items) => {
    const { sample, score } = items[0] as ScoredReply;
    const { answer, votes, ballots } = majorityVote(
      items.map(({ epoch, extraction }) => ({
        number: epoch,
        answer: extraction?.answer ?? null,
      })),
      (given) => answerKey(benchmark, sample, given),
    );
    const extraction = { answer, how: `${votes} of ${ballots} epochs` };
    const voted = scoreExtraction(benchmark, extraction, sample, score.extractor);
    return {
      sample,
      extraction,
      // A model or a program graded replies, not answers: the vote has the grade of the first reply with its answer.
      score: voted.value === null ? (gradeOf(answer, items, benchmark) ?? voted) : voted,
      right: items.filter((item) => item.score.value === 1).length,
    };
  });
}

function gradeOf(
  answer: string | readonly number[] | null,
  items: readonly ScoredReply[],
  benchmark: Benchmark,
): ScoredReply["score"] | undefined {
  if (answer === null) return undefined;
  return items.find(
    ({ sample, extraction }) =>
      extraction?.answer != null &&
      answerKey(benchmark, sample, extraction.answer) === answerKey(benchmark, sample, answer),
  )?.score;
}

function passAtKItems(run: Results, scored: readonly ScoredSaid[], k: number): MetricItem[] {
  const { name, epochs } = run;
  if (k > epochs)
    throw new Failure(
      "wrong-usage",
      `pass@${k} needs ${k} epochs, but ${name} has ${epochs}: use a smaller k, or run it with \`eval --epochs ${k}\`.`,
      { run: name, epochs, k },
    );
  const orders = run.option_orders ?? 1;
  // A question with fewer options than orders has fewer epochs.
  const planned = new Map(
    run.samples.map((sample) => [unitOf(sample), epochsOf(sample, epochs / orders, orders).length]),
  );
  return [...Map.groupBy(scoredQuestions(run, scored), ({ id }) => id)].flatMap(([id, of]) => {
    if (of.length !== planned.get(id) || of.length < k) return [];
    const { cluster, groups } = of[0] as ScoredQuestion;
    const right = of.filter(({ value }) => value === 1).length;
    return [{ id, question: id, cluster, groups, value: passAtK(of.length, right, k) }];
  });
}
