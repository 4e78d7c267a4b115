import type { Benchmark } from "../benchmarks/define-benchmark.ts";
import type { Sample } from "../benchmarks/sample.ts";
import type { ScoredReply } from "../benchmarks/scored-reply.ts";
import { epochsOf, orderOf, shifted, shownLetter, variantOf } from "../run/option-orders.ts";
import { unitOf } from "../run/selection.ts";
import { meanOverQuestions, meanOverSamples } from "../statistics/mean-over-samples.ts";
import type { Mean } from "../statistics/statistics.ts";
import type { Results, SampleReply } from "./read-results.ts";
import { shortenedQuestions } from "./shortened-questions.ts";

/** Scores of the results whose right option was shown at one position. */
export interface PositionScore {
  /** From 1, as the model saw the options. */
  position: number;
  /** Number of results with the right option at this position. */
  results: number;
  /** Accuracy over these results, clustered by video; unanswered ones count as wrong. */
  accuracy: Mean | null;
  /** Results with at least this many options, and how many of them choose the option at this position. */
  offered: number;
  named: number;
}

/**
 * Whether answers stay the same under all planned orders of the same options. A question in pairs has the same answer, or
 * is right, if that is so for all its pairs.
 */
export interface OrderConsistency {
  /** Questions with replies under all of their planned orders, in at least one repetition. */
  questions: number;
  /** Questions with several planned orders that lack the reply to an order in every repetition. */
  left_out: number;
  /** Share of these questions, by repetition, with the same answer in every order; a missing answer is not equal to any. */
  same_in_all: Mean | null;
  /** Share of pairs of orders with the same answer. */
  same_in_pairs: Mean | null;
  /** Share that is right in every order. */
  right_in_all: Mean | null;
}

type Item = ScoredReply & SampleReply;

/** Scores by position of the right option, in the order that the model saw; empty for questions without options. */
export function positionScores(scored: readonly Item[], benchmark: Benchmark): PositionScore[] {
  const placed = scored.flatMap((item) => {
    const { sample, extraction } = item;
    const seen = shifted(sample, orderOf(item));
    const right = seen.options.findIndex(({ letter }) => letter === seen.answer);
    if (right < 0) return [];
    const shown = shownLetter(sample, extraction?.answer ?? null, orderOf(item));
    const count = sample.options.length;
    const named = seen.options.findIndex(({ letter }) => letter === shown);
    return [{ sample, right, named, count, value: item.score.value ?? 0 }];
  });
  const most = Math.max(0, ...placed.map(({ count }) => count));
  return Array.from({ length: most }, (_, place): PositionScore => {
    const here = placed.filter(({ right }) => right === place);
    const offered = placed.filter(({ count }) => count > place);
    return {
      position: place + 1,
      results: here.length,
      accuracy: meanOverSamples(here, benchmark),
      offered: offered.length,
      named: offered.filter(({ named }) => named === place).length,
    };
  });
}

/** Over the repetitions with a reply under every planned order. Null for a run with a single order of the options. */
export function orderConsistency(
  scored: readonly Item[],
  {
    benchmark,
    option_orders: orders = 1,
    samples,
  }: Pick<Results, "benchmark" | "option_orders" | "samples">,
): OrderConsistency | null {
  if (orders < 2) return null;
  const planned = (sample: Sample) => epochsOf(sample, 1, orders).length;
  const shortened = new Set(shortenedQuestions(samples).map(({ id }) => id));
  const units = Map.groupBy(
    samples.filter((sample) => !shortened.has(unitOf(sample))),
    unitOf,
  );
  const ofSamples = [
    ...Map.groupBy(scored, ({ sample, epoch }) => `${variantOf(epoch, orders).round} ${sample.id}`),
  ].flatMap(([, items]) => {
    const [first] = items;
    if (first === undefined || items.length < 2 || items.length < planned(first.sample)) return [];
    // Failed calls say nothing about the order.
    if (items.some(({ reply }) => reply === null)) return [];
    const answers = items.map(({ extraction }) => extraction?.answer ?? null);
    const pairs = answers.flatMap((a, index) =>
      answers.slice(index + 1).map((b) => Number(a !== null && a === b)),
    );
    return [
      {
        ...{ sample: first.sample, round: variantOf(first.epoch, orders).round },
        same: Number(pairs.every((equal) => equal === 1)),
        pairs: pairs.reduce((sum, equal) => sum + equal, 0) / pairs.length,
        right: Number(items.every(({ score }) => score.value === 1)),
      },
    ];
  });
  const rounds = [
    ...Map.groupBy(ofSamples, ({ round, sample }) => `${round} ${unitOf(sample)}`).values(),
  ].flatMap((of) => {
    const [{ sample }] = of as [(typeof of)[number]];
    if (of.length < (units.get(unitOf(sample))?.length ?? Number.POSITIVE_INFINITY)) return [];
    return [
      {
        sample,
        same: Math.min(...of.map(({ same }) => same)),
        pairs: of.reduce((sum, { pairs }) => sum + pairs, 0) / of.length,
        right: Math.min(...of.map(({ right }) => right)),
      },
    ];
  });
  const mean = (of: (one: (typeof rounds)[number]) => number) =>
    meanOverQuestions(
      rounds.map((one) => ({ sample: one.sample, value: of(one) })),
      benchmark,
    );
  const complete = new Set(rounds.map(({ sample }) => unitOf(sample)));
  return {
    questions: complete.size,
    left_out: [...units].filter(
      ([id, of]) => of.some((sample) => planned(sample) > 1) && !complete.has(id),
    ).length,
    same_in_all: mean(({ same }) => same),
    same_in_pairs: mean(({ pairs }) => pairs),
    right_in_all: mean(({ right }) => right),
  };
}
