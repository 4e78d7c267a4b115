import { foldText } from "../../src/core/library/fold-text.ts";
import { splitUnspaced, UNSPACED } from "../../src/core/unspaced-text.ts";

/* Tokenises text as the full-text index does, which splits runs of scripts without spaces into pairs. */

/** A number includes its points and commas, a word its apostrophes; when quoted, each is a phrase. */
const WORD = /\p{N}+(?:[.,]\p{N}+)+|[\p{L}\p{N}\p{M}]+(?:['’][\p{L}\p{M}]+)*/gu;
/** No question needs more. FTS5 sets no limit: a chain of ORs counts as one level of an expression. */
const MOST_WORDS = 64;
/** In scripts without spaces nearly every character begins a pair. */
const MOST_PAIRS = 192;
const LONGEST_WORD = 64;
const LONGEST_QUERY = 20_000;

/** English words without information about where an answer is. They are searched only if a query has no other words. */
export const STOP_WORDS: ReadonlySet<string> = new Set(
  (
    "a about after all also am an and any are as at be because been before being between both but by can could did do " +
    "does doing during each few for from had has have having he her here hers him his how i if in into is it its just " +
    "me more most my no nor not of off on once only or other our out over own same she should so some such than that " +
    "the their them then there these they this those through to too under until up us very was we were what when " +
    "where which while who whom whose why will with would you your"
  ).split(" "),
);

/** Returns text as it is indexed. */
export function indexable(text: string): string {
  return splitUnspaced(normalise(text));
}

/**
 * Converts any text to an FTS5 expression that matches any of its words; null for a text without words. Words are
 * quoted, so that a query contains no operators. At most the first 64 different words are used, and 192 pairs of
 * characters, taken from the whole text.
 */
export function queryExpression(query: string): string | null {
  const text = normalise(query.slice(0, LONGEST_QUERY));
  const pairs = new Set((text.match(UNSPACED) ?? []).flatMap(unspacedTerms));
  const words = new Set(
    (text.replace(UNSPACED, " ").match(WORD) ?? []).map((word) => word.slice(0, LONGEST_WORD)),
  );
  const telling = [...words].filter((word) => !STOP_WORDS.has(word));
  const searched = telling.length > 0 || pairs.size > 0 ? telling : [...words];
  const terms = [
    ...searched.slice(0, MOST_WORDS).map((word) => `"${word}"`),
    ...spread([...pairs], MOST_PAIRS),
  ];
  return terms.length === 0 ? null : terms.join(" OR ");
}

/** At most `most` items, at even distances. */
function spread<T>(items: readonly T[], most: number): T[] {
  return items.filter(
    (_, at) =>
      items.length <= most ||
      Math.floor(((at + 1) * most) / items.length) > Math.floor((at * most) / items.length),
  );
}

/** Every character of a run begins one indexed pair, so a single character is found as a prefix. */
function unspacedTerms(run: string): string[] {
  const characters = [...run];
  if (characters.length === 1) return [`"${run}"*`];
  return characters.slice(1).map((character, at) => `"${characters[at]}${character}"`);
}

/**
 * Text in the form in which words are compared: without case, diacritics and the selectors of an emoji's look. Vowel signs
 * of Indic scripts and of Thai are letters and stay.
 */
export function normalise(text: string): string {
  return foldText(text)
    .replace(/\p{Variation_Selector}/gu, "")
    .toLowerCase();
}
