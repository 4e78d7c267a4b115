import { splitUnspaced } from "../unspaced-text.ts";
import { foldText } from "./fold-text.ts";
import { tokensOf } from "./tokens.ts";

/** A word or a phrase that a text must contain. */
export interface LibraryTerm {
  /** Words of a phrase in order, separated by spaces; runs of scripts without spaces as overlapping pairs. */
  words: string;
  /** Whether the last word is the beginning of one. */
  prefix: boolean;
  /** The same term for finding its place in a text. */
  tokens: readonly string[];
}

const LONGEST_QUERY = 500;
const MOST_TERMS = 32;
/** A shorter beginning of a word matches too much to be of use. */
const SHORTEST_PREFIX = 2;
const PART = /["“”„«»]([^"“”„«»]*)(["“”„«»]|$)|[^\s"“”„«»]+/gu;

/**
 * The terms of a query: words, and phrases in quotes. A last word of two letters or more may be the beginning of one.
 * Every other character separates words, so that no query contains operators. Empty for a query without words.
 *
 * @example
 * parseLibraryQuery('"heat pump" effic'); // the phrase `heat pump`, and words that begin with `effic`
 */
export function parseLibraryQuery(query: string): LibraryTerm[] {
  const text = foldText(query.slice(0, LONGEST_QUERY));
  const parts = [...text.matchAll(PART)];
  return parts
    .flatMap((part, index) => {
      const [, phrase, close] = part;
      const open = index === parts.length - 1 && (phrase === undefined || close === "");
      return termOf(phrase ?? part[0], open && part.index + part[0].length === text.length);
    })
    .slice(0, MOST_TERMS);
}

/**
 * A query without the single letter or digit at its end, which may begin a word but is too short to search for as one:
 * `heat pump ` for `heat pump e`. Null for any other query.
 */
export function withoutShortEnd(query: string): string | null {
  const before = /^.*\S\s+(?=[\p{L}\p{N}]$)/su.exec(query)?.[0];
  return before === undefined || parseLibraryQuery(query).at(-1)?.prefix ? null : before;
}

function termOf(text: string, last: boolean): LibraryTerm[] {
  const tokens = tokensOf(text);
  const end = tokens.at(-1);
  if (end === undefined) return [];
  const plain = text.slice(tokens[0]?.start, end.end);
  const split = splitUnspaced(plain).trim();
  const before = tokens.at(-2);
  const single = end.unspaced && !(before?.unspaced && before.end === end.start);
  // The index has a single character only at the end of a run. Within a run it begins a pair.
  const words = end.unspaced && !single ? split.replace(/\s+\S+$/u, "") : split;
  const open = last && !end.unspaced && [...end.key].length >= SHORTEST_PREFIX;
  return [{ words, prefix: open || single, tokens: tokens.map(({ key }) => key) }];
}
