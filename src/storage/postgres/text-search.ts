import { foldText } from "../../core/library/fold-text.ts";
import type { LibraryTerm } from "../../core/library/library-query.ts";
import { wordsOf } from "../../core/library/tokens.ts";
import { splitUnspaced } from "../../core/unspaced-text.ts";

/*
 * Texts and queries in the notation of `tsvector` and `tsquery`, so that the server splits and stems nothing: a `simple`
 * configuration would read addresses, numbers and hyphens in its own way, and scripts without spaces not at all.
 */

/** Positions above this one are not stored by the server. */
const LAST_POSITION = 16_383;
/** A word may have 2046 bytes. */
const LONGEST_WORD = 500;

/** A text as a `tsvector` with positions. */
export function toTsvector(text: string): string {
  const words = wordsOf(splitUnspaced(foldText(text))).slice(0, LAST_POSITION);
  return words.map((word, index) => `${quoted(word)}:${index + 1}`).join(" ");
}

/** All terms, each a word or a phrase; null if none of them has a word. */
export function toTsquery(terms: readonly LibraryTerm[]): string | null {
  const parts = terms.flatMap(({ words, prefix }) => {
    const lexemes = wordsOf(words).map(quoted);
    if (lexemes.length === 0) return [];
    return `(${lexemes.join(" <-> ")}${prefix ? ":*" : ""})`;
  });
  return parts.length === 0 ? null : parts.join(" & ");
}

/** Words have letters, digits and marks only, so nothing in them needs an escape. */
function quoted(word: string): string {
  return `'${[...word].slice(0, LONGEST_WORD).join("")}'`;
}
