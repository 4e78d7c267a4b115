import type { AskedTerm } from "./asked.ts";
import type { Reading, Sentence } from "./reading.ts";

/* The sentences nearest to a question that shares no word with the video. */

/** Words less alike than this have nothing in common. */
const LEAST_ALIKE = 0.4;

/** A sentence and how near it is: 0 to 1; 0 if none of its words is like one of the question. */
export interface NearSentence {
  sentence: Sentence;
  closeness: number;
}

/**
 * Orders the sentences by how alike their words are to those of the question, in letters. Equally near sentences, and
 * all if no word is alike, are in order of how much they say about what the video repeats.
 */
export function nearestSentences(
  asked: readonly Pick<AskedTerm, "key">[],
  { sentences, postings }: Reading,
): NearSentence[] {
  const sums = new Map<Sentence, number>();
  const keys = [...postings.keys()].filter(isWord);
  const words = asked.filter(({ key }) => isWord(key));
  for (const { key } of words) {
    const pairs = pairsOf(key);
    const best = new Map<Sentence, number>();
    for (const other of keys) {
      const alike = likeness(pairs, pairsOf(other));
      if (alike < LEAST_ALIKE) continue;
      for (const { sentence: place } of postings.get(other) ?? []) {
        const sentence = sentences[place];
        if (sentence !== undefined && alike > (best.get(sentence) ?? 0)) best.set(sentence, alike);
      }
    }
    for (const [sentence, alike] of best) sums.set(sentence, (sums.get(sentence) ?? 0) + alike);
  }
  return sentences
    .map((sentence) => ({
      sentence,
      closeness: (sums.get(sentence) ?? 0) / Math.max(1, words.length),
      ...contentOf(sentence, postings),
    }))
    .sort(
      (a, b) =>
        b.closeness - a.closeness ||
        b.repeated - a.repeated ||
        b.different - a.different ||
        a.sentence.start_s - b.sentence.start_s,
    );
}

/** How often the video repeats the words of a sentence, and how many different ones it has. */
function contentOf({ terms }: Sentence, postings: Reading["postings"]) {
  const keys = new Set(terms.flatMap(({ key }) => (key === "" ? [] : key)));
  let repeated = 0;
  for (const key of keys) repeated += Math.log(postings.get(key)?.length ?? 1);
  return { repeated, different: keys.size };
}

function isWord(key: string): boolean {
  return key !== "" && !key.startsWith("#");
}

/** Pairs of neighbouring letters, the beginning and the end included. */
function pairsOf(word: string): Set<string> {
  const letters = [" ", ...word, " "];
  return new Set(letters.slice(1).map((letter, at) => `${letters[at]}${letter}`));
}

/** Dice coefficient. */
function likeness(a: ReadonlySet<string>, b: ReadonlySet<string>): number {
  let same = 0;
  for (const pair of a) if (b.has(pair)) same++;
  return (2 * same) / (a.size + b.size);
}
