import type { Option } from "../../src/core/shapes.ts";
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
 * A reply is read with the letters that the model saw, and the answer is then converted to the letters of the data. Records
 * of other tools may have any other order, as a list of the options that they show.
 */

/** An option as a model saw it: its letter, and the position in the data of its text, from 0. */
export interface ShownOption {
  letter: string;
  place: number;
}

/** An order of the options: the number of positions by which the texts are shifted, or all options as the model saw them. */
export type OptionOrder = number | readonly ShownOption[];

/** The order in which a reply has seen the options. Default: that of the data. */
export function orderOf({
  shift = 0,
  option_order,
}: {
  shift?: number;
  option_order?: readonly ShownOption[];
}): OptionOrder {
  return option_order ?? shift;
}

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

/** The sample as a model sees it: options and right answer under the letters of this order. */
export function shifted(sample: Sample, order: OptionOrder): Sample {
  if (order === 0) return sample;
  const { options, answer } = sample;
  return {
    ...sample,
    options: shownOptions(options, order).map(({ letter, place }) => ({
      letter,
      text: at(options, place).text,
    })),
    answer: shownLetter(sample, answer, order),
  };
}

/** Converts an answer from the letters that a model saw to those of the data. Other answers stay unchanged. */
export function inDataLetters<A extends string | readonly number[] | null>(
  { options }: Sample,
  answer: A,
  order: OptionOrder,
): A {
  const shown = shownOptions(options, order).find(({ letter }) => letter === answer);
  return shown === undefined ? answer : (at(options, shown.place).letter as A);
}

/** Converts an answer from the letters of the data to those that a model saw. Other answers stay unchanged. */
export function shownLetter<A extends string | readonly number[] | null>(
  { options }: Sample,
  answer: A,
  order: OptionOrder,
): A {
  const place = options.findIndex(({ letter }) => letter === answer);
  const shown = shownOptions(options, order).find((one) => one.place === place);
  return shown === undefined ? answer : (shown.letter as A);
}

/** Converts a scored reply, with its answer, from the letters that the model saw to those of the data. */
export function scoredInData(
  benchmark: Benchmark,
  sample: Sample,
  seen: ScoredReply,
  order: OptionOrder,
): ScoredReply {
  if (order === 0 || seen.extraction === null) return { ...seen, sample };
  const { answer } = seen.extraction;
  const isShown = shownOptions(sample.options, order).some(({ letter }) => letter === answer);
  const isLetter = sample.options.some(({ letter }) => letter === answer);
  const extraction = {
    ...seen.extraction,
    // A letter of the data that the model did not see names no option.
    answer: isLetter && !isShown ? null : inDataLetters(sample, answer, order),
    how: `${seen.extraction.how}, options ${typeof order === "number" ? `shifted by ${order}` : "in the order of the record"}`,
  };
  return {
    sample,
    extraction,
    score: scoreExtraction(benchmark, extraction, sample, seen.score.extractor),
  };
}

function shownOptions(options: Sample["options"], order: OptionOrder): readonly ShownOption[] {
  if (typeof order !== "number") return order;
  const count = options.length;
  return options.map(({ letter }, index) => ({
    letter,
    place: (((index + order) % count) + count) % count,
  }));
}

function at(options: Sample["options"], place: number): Option {
  return options[place] as Option;
}
