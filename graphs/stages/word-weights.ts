import { stemmer } from "stemmer";
import type { Evidence } from "../../src/core/shapes.ts";
import { indexable, STOP_WORDS } from "../../tools/search/query-terms.ts";

/** Weights of words in a body of evidence, and the words of each item. */
export interface Weighing {
  idf(stem: string): number;
  stemsOf(item: Evidence): ReadonlySet<string>;
}

export function weigh(evidence: readonly Evidence[]): Weighing {
  const words = new Map(evidence.map((item) => [item.id, stems(item.text)]));
  const frequency = new Map<string, number>();
  for (const set of words.values())
    for (const stem of set) frequency.set(stem, (frequency.get(stem) ?? 0) + 1);
  const none: ReadonlySet<string> = new Set();
  return {
    // A missing word weighs like one that occurs once: the video may use a synonym.
    idf: (stem) => Math.log(1 + evidence.length / Math.max(1, frequency.get(stem) ?? 0)),
    stemsOf: (item) => words.get(item.id) ?? none,
  };
}

export function weighted(words: ReadonlySet<string>, weighing: Weighing): Map<string, number> {
  return new Map([...words].map((stem) => [stem, weighing.idf(stem)]));
}

/** The weighted share of `words` that is in `said`. */
export function share(words: ReadonlyMap<string, number>, said: ReadonlySet<string>): number {
  let all = 0;
  let there = 0;
  for (const [stem, weight] of words) {
    all += weight;
    if (said.has(stem)) there += weight;
  }
  return all === 0 ? 0 : there / all;
}

/** `two` and `2` are the same word. `one` is left out, as it often is not a number. */
const NUMBERS = new Map(
  "two three four five six seven eight nine ten eleven twelve"
    .split(" ")
    .map((word, index) => [word, String(index + 2)]),
);

/** The stems of a text, without stop words and single letters. */
export function stems(text: string): Set<string> {
  const words = indexable(text).match(/[\p{L}\p{N}\p{M}]+/gu) ?? [];
  return new Set(
    words
      .filter((word) => !STOP_WORDS.has(word) && !/^\p{L}$/u.test(word))
      .map((word) => NUMBERS.get(word) ?? stemmer(word)),
  );
}
