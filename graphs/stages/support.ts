import type { Evidence, Option, Question } from "../../src/core/shapes.ts";
import { termsOf } from "../../tools/search/text-terms.ts";
import { type AskedTerm, askedTerms, findTerms } from "./asked.ts";
import { NEGATION } from "./denial.ts";
import { extremeOf, namesExtreme } from "./extremes.ts";
import { type Mention, mentionsOf, placesOf, rivalsOf, selective } from "./option-mentions.ts";
import { type Reading, readEvidence } from "./reading.ts";

/*
 * How well the evidence supports each option, by words and numbers only. A mention of an option scores
 *
 *   share of the option's own words in it x share of the question's words near it x focus of its clause
 *
 * A rare word weighs more than a frequent one. A word in all options weighs nothing. What is denied does not support.
 */

/** The best option needs this score, and must lead the next one by this factor. */
const LEAST_SCORE = 0.1;
const LEAST_LEAD = 1.06;
const LEAST_LEAD_OF_EXTREME = 1.5;
/** What a second mention of an option in another sentence adds at most. */
const REPEATED = 0.15;

/** A question for the exception: what is said supports the wrong options. */
const ODD_ONE_OUT = [
  /\b(?:which|what|who|whom|where|when)\b(?:(?!\b(?:and|but|that|which|who|if|because|without)\b)[^?,])*?(?:\b(?:not|never|no)\b|n['’]t\b)|\bexcept\b/i,
  // Not what is wrong with something.
  /\b(?:which|what)\b[^?,]*?\b(?:is|are|was|were)(?: \w+ly)? (?:false|untrue|incorrect|wrong)(?=\s*(?:[?.:]|$))/i,
  /\bwhich\b[^?,]*?\b(?:is|are|was|were)(?: \w+ly)? (?:false|untrue|incorrect|wrong),? (?:about|according to|concerning|regarding)\b/i,
  /\b(?:false|untrue|incorrect|wrong) (?:claim|one|option|statement)s?\b/i,
];

/** What the evidence says for the options of a question. */
export interface Verdict {
  /** The supported option; null if there is none, or no clear one. */
  letter: string | null;
  /** The options that are supported equally, if that is why there is no answer. */
  tied: string[];
  /** Items that mention the supported option, best first. */
  cites: Evidence[];
  /** Score of each option, 0 to 1. */
  scores: Record<string, number>;
  /** Best mentions of each option. */
  mentions: Record<string, Mention[]>;
}

/** Weighs the options of a question against the evidence. */
export function weighOptions(question: Question, evidence: readonly Evidence[]): Verdict {
  return weighOver(question, readEvidence(evidence));
}

export function weighOver(question: Question, read: Reading): Verdict {
  const reading = { ...read, clauses: Map.groupBy(read.terms, ({ clause }) => clause) };
  const options = question.options ?? [];
  const { asked, own } = sharedOut(question, options, reading);
  const places = new Map(options.map((option) => [option, placesOf(own.get(option) ?? [])]));
  const weighted = selective(asked, [...places.values()]);
  const mentions = Object.fromEntries(
    options.map((option) => [
      option.letter,
      mentionsOf(
        option,
        own.get(option) ?? [],
        weighted,
        rivalsOf(option, places),
        places.get(option) ?? [],
        reading,
      ),
    ]),
  );
  const exception = ODD_ONE_OUT.some((words) => words.test(question.text));
  const ranked = options
    .map(({ letter }) => ({ letter, score: totalOf(mentions[letter] ?? []) }))
    .sort((a, b) => b.score - a.score);
  const scores = Object.fromEntries(ranked.map(({ letter, score }) => [letter, round(score)]));
  const extreme = exception
    ? null
    : extremeOf(
        question.text,
        options,
        (option) => placesOf(own.get(option) ?? []).map(({ anchor }) => anchor),
        reading,
      );
  if (extreme !== null) {
    const cites = [...new Set(extreme.map(({ value }) => value.item))];
    return { letter: extreme[0]?.letter ?? null, tied: [], cites, scores, mentions };
  }
  const { letter, tied } = exception
    ? { letter: exceptionOf(ranked, options, mentions), tied: [] }
    : bestOf(ranked, leadFor(question.text, mentions, reading));
  const cites = letter === null ? [] : citesOf(mentions, exception ? null : letter);
  return { letter, tied, cites, scores, mentions };
}

interface Ranked {
  letter: string;
  score: number;
}

/** What is largest or smallest must be said, or lead clearly: words near the options do not compare them. */
function leadFor(
  question: string,
  mentions: Readonly<Record<string, Mention[]>>,
  { sentences }: Reading,
): number {
  const said = Object.values(mentions).some(([best]) =>
    namesExtreme(sentences[best?.own[0]?.sentence ?? -1]?.text ?? ""),
  );
  return namesExtreme(question) && !said ? LEAST_LEAD_OF_EXTREME : LEAST_LEAD;
}

function bestOf(
  ranked: readonly Ranked[],
  lead: number,
): { letter: string | null; tied: string[] } {
  const [first, second] = ranked;
  if (first === undefined || first.score < LEAST_SCORE) return { letter: null, tied: [] };
  if (first.score >= lead * (second?.score ?? 0)) return { letter: first.letter, tied: [] };
  const tied = ranked.filter(({ score }) => first.score < lead * score);
  return { letter: null, tied: tied.map(({ letter }) => letter).sort() };
}

/** The option that is denied, or the only one without support while all others have some. */
function exceptionOf(
  ranked: readonly Ranked[],
  options: readonly Option[],
  mentions: Readonly<Record<string, Mention[]>>,
): string | null {
  if (options.some(({ text }) => termsOf(text).some(({ word }) => NEGATION.test(word))))
    return null;
  const denied = options.filter(({ letter }) => mentions[letter]?.[0]?.denied === true);
  if (denied.length === 1) return denied[0]?.letter ?? null;
  const [last, before] = [ranked.at(-1), ranked.at(-2)];
  if (last === undefined || before === undefined || ranked.length < 3) return null;
  return before.score >= LEAST_SCORE && last.score <= before.score / 2 ? last.letter : null;
}

/** The words of the question and of each option. A word of both is the question's, unless it tells the options apart. */
function sharedOut(question: Question, options: readonly Option[], reading: Reading) {
  const words = new Map(options.map((option) => [option, findTerms(option.text, reading)]));
  const having = (key: string) =>
    options.filter((option) => words.get(option)?.some((term) => term.key === key)).length;
  const all = askedTerms(question, reading);
  const inQuestion = new Set(all.map(({ key }) => key));
  // A question may list its options: "Is basalt or granite denser?"
  const listed = options.every((option) =>
    words.get(option)?.some(({ key }) => inQuestion.has(key) && having(key) === 1),
  );
  const asked = all.filter(({ key }) => !listed || having(key) !== 1);
  const taken = new Set(asked.map(({ key }) => key));
  const own = new Map(
    options.map((option) => [
      option,
      (words.get(option) ?? []).flatMap((term): AskedTerm[] => {
        const shared = (having(term.key) - 1) / Math.max(1, options.length - 1);
        const weight = term.weight * (1 - shared);
        return weight > 0 && !taken.has(term.key) ? [{ ...term, weight }] : [];
      }),
    ]),
  );
  return { asked, own };
}

function totalOf([first, ...more]: readonly Mention[]): number {
  if (first === undefined) return 0;
  const second = Math.max(0, ...more.map(({ score }) => score));
  return 1 - (1 - first.score) * (1 - REPEATED * second);
}

const MOST_CITED = 3;

/** The items of the best mentions of an option; without an option, those of all. */
function citesOf(mentions: Readonly<Record<string, Mention[]>>, letter: string | null): Evidence[] {
  const best =
    letter === null
      ? Object.values(mentions).flatMap(([first]) => first ?? [])
      : (mentions[letter] ?? []).slice(0, 1);
  return [...new Set(best.flatMap(({ own }) => own.map(({ item }) => item)))].slice(
    0,
    letter === null ? 12 : MOST_CITED,
  );
}

function round(score: number): number {
  return Math.round(score * 1000) / 1000;
}
