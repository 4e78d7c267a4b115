import type { AskedTerm } from "./asked.ts";
import type { Expected } from "./expected-answer.ts";
import type { ReadTerm, Sentence } from "./reading.ts";

/* The value or phrase of a sentence that answers a question about it. */

/** A phrase with more words is no answer; the whole sentence is. */
const MOST_WORDS = 8;
const LABEL = /^[\s•*-]*(?<left>[^:=]{1,60}?)\s*(?::|=|[-=]?>|→|\s[–—-])\s+(?<right>\S.*)$/;
const COPULA =
  /^[\s•*-]*(?<left>[^,;]{1,80}?)\s+(?:is|are|was|were|means|is called|are called)\s+(?<right>\S.*?)[.!]*$/i;
/** `>>`, and the name in capitals, before what somebody says: `NAR: This is …`, `>> JOHN: …`. */
const SPEAKER = /^(?:>>\s*)?(?:[[(]?\p{Lu}[\p{Lu}\p{M}\d .'’#-]*[\])]?:\s+)?/u;
/** A side that only refers to something, and what begins a question or a clause. */
const NO_PHRASE =
  /^(?:(?:(?:and|so|but|now|then|because|if)\s+)?(?:this|that|these|those|it|here|there|he|him|she|her|they|them|we|us|you)(?:\s+(?:one|ones|here|there|also|just|really|all))?|(?:who|what|which|where|when|why|how)\b.*)[.!?]*$/i;

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
  { text, remainder, terms, spoken }: Sentence,
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
  const whole = trimmed(`${text} ${remainder}`);
  // A place or a reason is stated by a whole sentence.
  if (marked !== null) return whole;
  const keys = new Set([...words].map(({ word }) => word.toLowerCase()));
  const isAsked = (side: string) =>
    [...keys].some((word) =>
      new RegExp(`(?<![\\p{L}\\p{N}])${escaped(word)}(?![\\p{L}\\p{N}])`, "iu").test(side),
    );
  const speaker = spoken ? (SPEAKER.exec(text)?.[0] ?? "") : "";
  const said = isAsked(speaker) ? text : text.slice(speaker.length);
  for (const pattern of [LABEL, COPULA]) {
    const { left, right } = pattern.exec(said)?.groups ?? {};
    if (left === undefined || right === undefined) continue;
    const side =
      isAsked(left) && !isAsked(right) ? right : isAsked(right) && !isAsked(left) ? left : null;
    if (side === null || NO_PHRASE.test(side) || (side === right && remainder !== "")) continue;
    if (side.split(/\s+/).length <= MOST_WORDS && asked.length > 0) return trimmed(side);
  }
  return whole;
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
