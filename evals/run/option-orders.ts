import type { Benchmark } from "../benchmarks/define-benchmark.ts";
import type { Sample } from "../benchmarks/sample.ts";
import { scoreExtraction } from "../benchmarks/score-reply.ts";
import type { ScoredReply } from "../benchmarks/scored-reply.ts";

/*
 * `--option-orders k` asks every question under k cyclic orders of its options, as further epochs: epoch 1 is the order
 * of the data, epoch 2 shifts the options by one, and so on; with more rounds (`--epochs`) the next round begins at epoch
 * k + 1. A question with fewer than k options has only as many orders as options, so some of its epochs do not exist.
 *
 * The letters stay where they are and the words move: under shift r the letter at place i labels the words of
 * option i + r. What a model says is read under the letters that it saw, and then named by the letters of the data.
 */

/** Which repetition an epoch (from 1) is, from 0, and by how many places its options are shifted. */
export function variantOf(epoch: number, orders: number): { round: number; shift: number } {
  return { round: Math.floor((epoch - 1) / orders), shift: (epoch - 1) % orders };
}

/** The epochs in which a sample is asked: every round under each of its orders. */
export function epochsOf(sample: Sample, epochs: number, orders: number): number[] {
  const distinct = Math.max(1, Math.min(orders, sample.options.length));
  return Array.from({ length: epochs * orders }, (_, index) => index + 1).filter(
    (epoch) => variantOf(epoch, orders).shift < distinct,
  );
}

/** The sample as it is put to a model: words of the options and right answer under the shifted letters. */
export function shifted(sample: Sample, shift: number): Sample {
  if (shift === 0) return sample;
  const { options, answer } = sample;
  const place = options.findIndex(({ letter }) => letter === answer);
  return {
    ...sample,
    options: options.map(({ letter }, index) => ({
      letter,
      text: at(options, index + shift).text,
    })),
    answer: place < 0 ? answer : at(options, place - shift).letter,
  };
}

/** The data's letter for an answer in the letters that a model saw; what is not a letter of an option stays as it is. */
export function inDataLetters<A extends string | readonly number[] | null>(
  { options }: Sample,
  answer: A,
  shift: number,
): A {
  const place = options.findIndex(({ letter }) => letter === answer);
  return place < 0 ? answer : (at(options, place + shift).letter as A);
}

/** What was scored as the model saw it, with its answer in the letters of the data. */
export function scoredInData(
  benchmark: Benchmark,
  sample: Sample,
  seen: ScoredReply,
  shift: number,
): ScoredReply {
  if (shift === 0 || seen.extraction === null) return { ...seen, sample };
  const extraction = {
    ...seen.extraction,
    answer: inDataLetters(sample, seen.extraction.answer, shift),
    how: `${seen.extraction.how}, options shifted by ${shift}`,
  };
  return {
    sample,
    extraction,
    score: scoreExtraction(benchmark, extraction, sample, seen.score.extractor),
  };
}

function at<T>(items: readonly T[], index: number): T {
  return items[((index % items.length) + items.length) % items.length] as T;
}
