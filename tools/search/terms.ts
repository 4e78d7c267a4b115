/*
 * Words as the full-text index knows them. SQLite's unicode61 parts text at whatever is no letter or digit, which
 * leaves a run of Chinese, Japanese, Thai ... as one word that nothing matches: such runs are cut into pairs.
 */

const UNSPACED =
  /[\p{Script=Han}\p{Script=Hiragana}\p{Script=Katakana}\p{Script=Hangul}\p{Script=Bopomofo}\p{Script=Thai}\p{Script=Lao}\p{Script=Khmer}\p{Script=Myanmar}\p{Script=Tibetan}ー々]+/gu;
/** A number keeps its points and commas, a word its apostrophes: quoted, each is a phrase. */
const WORD = /\p{N}+(?:[.,]\p{N}+)+|[\p{L}\p{N}\p{M}]+(?:['’][\p{L}\p{M}]+)*/gu;
/** SQLite allows an expression 256 deep; no question needs more words than this. */
const MOST_TERMS = 64;
const LONGEST_WORD = 64;
const LONGEST_QUERY = 20_000;

/** English words that say nothing about where in a video an answer lies. They are looked for only where nothing else is. */
export const STOP_WORDS: ReadonlySet<string> = new Set(
  (
    "a about after all also am an and any are as at be because been before being between both but by can could did do " +
    "does doing during each few for from had has have having he her here hers him his how i if in into is it its just " +
    "me more most my no nor not of off on once only or other our out over own same she should so some such than that " +
    "the their them then there these they this those through to too under until up us very was we were what when " +
    "where which while who whom whose why will with would you your"
  ).split(" "),
);

/** Text as it goes into the index. */
export function indexable(text: string): string {
  return normalise(text).replace(UNSPACED, (run) => {
    const characters = [...run];
    return ` ${characters.map((character, at) => character + (characters[at + 1] ?? "")).join(" ")} `;
  });
}

/**
 * Any text -> an FTS5 expression that asks for any of its words, or null where it has none. Words are quoted, so
 * nothing in a query is an operator; at most 64 different ones are looked for.
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

/** Every character of a run begins one indexed pair, so a single one is found as a beginning. */
function unspacedTerms(run: string): string[] {
  const characters = [...run];
  if (characters.length === 1) return [`"${run}"*`];
  return characters.slice(1).map((character, at) => `"${characters[at]}${character}"`);
}

function normalise(text: string): string {
  return text.toWellFormed().normalize("NFKC").toLowerCase();
}
