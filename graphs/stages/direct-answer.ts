import type { AskedTerm } from "./asked.ts";
import type { Expected } from "./expected-answer.ts";
import type { ReadTerm, Sentence } from "./reading.ts";

/* The value or phrase of a sentence that answers a question about it. */

/** A phrase with more words is no answer; the whole sentence is. */
const MOST_WORDS = 8;
const LABEL = /^[\s•*-]*(?<left>[^:=]{1,60}?)\s*(?::|=|[-=]?>|→|\s[–—-])\s+(?<right>\S.*)$/;
const COPULA =
  /^[\s•*-]*(?<left>[^,;]{1,80}?)\s+(?:is|are|was|were|means|is called|are called)\s+(?<right>\S.*?)[.!]*$/i;

const MONTH =
  "(?:jan(?:uary)?|feb(?:ruary)?|mar(?:ch)?|apr(?:il)?|may|june?|july?|aug(?:ust)?|sept?(?:ember)?|oct(?:ober)?|nov(?:ember)?|dec(?:ember)?)";
const DAY = "\\d{1,2}(?:st|nd|rd|th)?";
const DATE = new RegExp(
  `\\b(?:${DAY}(?: of)? ${MONTH}\\b(?:,? \\d{4})?|${MONTH} ${DAY}\\b(?:,? \\d{4})?|${MONTH} \\d{4}|\\d{4}-\\d\\d-\\d\\d)\\b`,
  "i",
);

/**
 * Returns the date or number that answers the question; or the side of `label: value` or of `this is that` that has none of the
 * question's words; or the whole sentence.
 */
export function directAnswer(
  { text, terms }: Sentence,
  value: ReadTerm | null,
  words: ReadonlySet<ReadTerm>,
  asked: readonly AskedTerm[],
  { marked, date }: Expected,
): string {
  const day = date ? DATE.exec(text)?.[0] : undefined;
  if (day !== undefined) return day;
  if (value?.quantity != null)
    return withFigures(value.word, value.quantity.value, value.quantity.dimension);
  const rest = terms.filter(
    (term) => term.key !== "" && !words.has(term) && !isAskedKey(term, asked),
  );
  const [only, ...more] = rest.filter(({ quantity, operand }) => quantity !== null && !operand);
  if (only?.quantity != null && more.length === 0 && rest.every((term) => isPartOf(term, only)))
    return withFigures(only.word, only.quantity.value, only.quantity.dimension);
  // A place or a reason is stated by a whole sentence.
  if (marked !== null) return trimmed(text);
  const keys = new Set([...words].map(({ word }) => word.toLowerCase()));
  const isAsked = (side: string) =>
    [...keys].some((word) =>
      new RegExp(`(?<![\\p{L}\\p{N}])${escaped(word)}(?![\\p{L}\\p{N}])`, "iu").test(side),
    );
  for (const pattern of [LABEL, COPULA]) {
    const { left, right } = pattern.exec(text)?.groups ?? {};
    if (left === undefined || right === undefined) continue;
    const side =
      isAsked(left) && !isAsked(right) ? right : isAsked(right) && !isAsked(left) ? left : null;
    if (side !== null && side.split(/\s+/).length <= MOST_WORDS && asked.length > 0)
      return trimmed(side);
  }
  return trimmed(text);
}

function isAskedKey({ key }: ReadTerm, asked: readonly AskedTerm[]): boolean {
  return asked.some((term) => term.key === key || term.found.some((one) => one.term.key === key));
}

function isPartOf(term: ReadTerm, { start, end, item }: ReadTerm): boolean {
  return term.item === item && term.start >= start && term.end <= end;
}

/** `8 hundred (800)`. */
function withFigures(words: string, value: number, dimension: string | null): string {
  const plain = words.replace(/\s+/g, " ").trim();
  return /[a-z]{3}/i.test(plain) &&
    !/^[^a-z]*\d[\d.,]*\s*[a-z°²³/]*$/i.test(plain) &&
    dimension !== "clock"
    ? `${plain} (${Number(value.toPrecision(9))})`
    : plain;
}

function trimmed(text: string): string {
  return text
    .replace(/^[\s•*-]+/, "")
    .replace(/\s+/g, " ")
    .trim();
}

function escaped(word: string): string {
  return word.replace(/[.*+?^${}()|[\]\\]/g, "\\$&");
}
