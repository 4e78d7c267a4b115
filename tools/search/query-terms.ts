import { splitUnspaced, UNSPACED } from "../../src/core/unspaced-text.ts";

/* Tokenises text as the full-text index does, which splits runs of scripts without spaces into pairs. */

/** A number includes its points and commas, a word its apostrophes; when quoted, each is a phrase. */
const WORD = /\p{N}+(?:[.,]\p{N}+)+|[\p{L}\p{N}\p{M}]+(?:['’][\p{L}\p{M}]+)*/gu;
/** SQLite limits the depth of an expression to 256. No question needs more words than this. */
const MOST_TERMS = 64;
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
 * quoted, so that a query contains no operators. At most 64 different words are used.
 */
export function queryExpression(query: string): string | null {
  const terms = new Set<string>();
  const text = normalise(query.slice(0, LONGEST_QUERY));
  for (const run of text.match(UNSPACED) ?? [])
    for (const term of unspacedTerms(run)) terms.add(term);
  const words = new Set(
    (text.replace(UNSPACED, " ").match(WORD) ?? []).map((word) => word.slice(0, LONGEST_WORD)),
  );
  const telling = [...words].filter((word) => !STOP_WORDS.has(word));
  for (const word of telling.length > 0 || terms.size > 0 ? telling : words) terms.add(`"${word}"`);
  return terms.size === 0 ? null : [...terms].slice(0, MOST_TERMS).join(" OR ");
}

/** Every character of a run begins one indexed pair, so a single character is found as a prefix. */
function unspacedTerms(run: string): string[] {
  const characters = [...run];
  if (characters.length === 1) return [`"${run}"*`];
  return characters.slice(1).map((character, at) => `"${characters[at]}${character}"`);
}

function normalise(text: string): string {
  return text.toWellFormed().normalize("NFKC").toLowerCase();
}
