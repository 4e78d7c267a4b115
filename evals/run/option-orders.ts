import type { Benchmark } from "../benchmarks/define-benchmark.ts";
import type { Sample } from "../benchmarks/sample.ts";
import { scoreExtraction } from "../benchmarks/score-reply.ts";
import type { ScoredReply } from "../benchmarks/scored-reply.ts";

/*
 * `--option-orders k` asks every question with k cyclic orders of its options, as additional epochs: epoch 1 has the order
 * of the data, epoch 2 shifts the options by one, and so on. With several rounds (`--epochs`) the next round starts at epoch
 * k + 1. A question with fewer than k options has only as many orders as options, so some of its epochs do not exist.
 *
 * Letters keep their positions and texts move: with shift r the letter at position i labels the text of option i + r.
 * A reply is read with the letters that the model saw, and the answer is then converted to the letters of the data.
 */

/** The round of an epoch, from 0, and the number of positions by which its options are shifted. Epochs count from 1. */
export function variantOf(epoch: number, orders: number): { round: number; shift: number } {
  return { round: Math.floor((epoch - 1) / orders), shift: (epoch - 1) % orders };
}

/** Whether a sample is asked in an epoch: only if it has as many orders. */
export function isAsked({ options }: Sample, epoch: number, orders: number): boolean {
  return variantOf(epoch, orders).shift < Math.max(1, options.length);
}

/** The epochs in which a sample is asked: every round with each of its orders. */
export function epochsOf(sample: Sample, epochs: number, orders: number): number[] {
  return Array.from({ length: epochs * orders }, (_, index) => index + 1).filter((epoch) =>
    isAsked(sample, epoch, orders),
  );
}

/** The sample as a model sees it: texts of the options and right answer under the shifted letters. */
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

/** Converts an answer from the letters that a model saw to those of the data. Other answers stay unchanged. */
export function inDataLetters<A extends string | readonly number[] | null>(
  { options }: Sample,
  answer: A,
  shift: number,
): A {
  const place = options.findIndex(({ letter }) => letter === answer);
  return place < 0 ? answer : (at(options, place + shift).letter as A);
}

/** Converts a scored reply, with its answer, from the letters that the model saw to those of the data. */
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
