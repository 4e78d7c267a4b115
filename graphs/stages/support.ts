import type { Evidence, Moment, Option, Question } from "../../src/core/shapes.ts";
import { termsOf } from "../../tools/search/text-terms.ts";
import { type AskedTerm, askedTerms, findTerms, type Occurrence } from "./asked.ts";
import { nearnessTo, type Rivals } from "./nearness.ts";
import { type Reading, type ReadTerm, readEvidence } from "./reading.ts";

/*
 * How well the evidence supports each option, by words and numbers only. A mention of an option scores
 *
 *   share of the option's own words in it x share of the question's words near it x focus of its clause
 *
 * A rare word weighs more than a frequent one. A word in all options weighs nothing. What is denied does not support.
 */

/** A mention of an option needs this share of the option's words. */
const LEAST_COVERAGE = 0.5;
/** The best option needs this score, and must lead the next one by this factor. */
const LEAST_SCORE = 0.06;
const LEAST_LEAD = 1.06;
/** What a second mention of an option in another sentence adds at most. */
const REPEATED = 0.15;
/** What a denied mention counts, and one on the wrong side of `than`. */
const DENIED = 0.3;
/** What a mention counts at least if its clause is about something else. */
const LEAST_FOCUS = 0.7;
/** More mentions of an option than this are not weighed. */
const MOST_ANCHORS = 400;

/** A question for the exception: what is said supports the wrong options. */
const ODD_ONE_OUT =
  /\b(?:which|what|who|whom|where|when)\b(?:(?!\b(?:and|but|that|which|who|if|because|without)\b)[^?,])*?(?:\b(?:not|never|no)\b|n['’]t\b)|\b(?:except|false|untrue|incorrect|wrong)\b/i;
const NEGATION = /^(?:not|no|never|none|nothing|neither|nor|without|cannot|hardly|\w+n['’]t)$/i;
const INSTEAD =
  /\b(?:instead of|rather than|unlike|except(?: for)?|as opposed to|other than)\s+(?:\S+\s+){0,2}$/i;

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

/** A place of the evidence that mentions an option. */
export interface Mention {
  score: number;
  relevance: number;
  /** The terms of the option, and those of the question near them. */
  own: ReadTerm[];
  near: ReadTerm[];
  denied: boolean;
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
  const exception = ODD_ONE_OUT.test(question.text);
  const ranked = options
    .map(({ letter }) => ({ letter, score: totalOf(mentions[letter] ?? []) }))
    .sort((a, b) => b.score - a.score);
  const scores = Object.fromEntries(ranked.map(({ letter, score }) => [letter, round(score)]));
  const { letter, tied } = exception
    ? { letter: exceptionOf(ranked, options, mentions), tied: [] }
    : bestOf(ranked);
  const cites = letter === null ? [] : citesOf(mentions, exception ? null : letter);
  return { letter, tied, cites, scores, mentions };
}

interface Ranked {
  letter: string;
  score: number;
}

function bestOf(ranked: readonly Ranked[]): { letter: string | null; tied: string[] } {
  const [first, second] = ranked;
  if (first === undefined || first.score < LEAST_SCORE) return { letter: null, tied: [] };
  if (first.score >= LEAST_LEAD * (second?.score ?? 0)) return { letter: first.letter, tied: [] };
  const tied = ranked.filter(({ score }) => first.score < LEAST_LEAD * score);
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

/** A place at which enough of an option's words are together. */
interface Place {
  anchor: ReadTerm;
  matched: ReadTerm[];
  coverage: number;
}

function placesOf(own: readonly AskedTerm[]): Place[] {
  return anchorsOf(own).flatMap((anchor) => {
    const { coverage, matched } = coverageAt(anchor, own);
    return coverage < LEAST_COVERAGE ? [] : [{ anchor: anchor.term, coverage, matched }];
  });
}

/** A word in the sentences of several options tells little about which of them is right. */
function selective(
  asked: readonly AskedTerm[],
  places: readonly (readonly Place[])[],
): AskedTerm[] {
  const sentences = places.map((list) => new Set(list.map(({ anchor }) => anchor.sentence)));
  return asked.map((term) => {
    const at = new Set(term.found.map((one) => one.term.sentence));
    const options = sentences.filter((list) =>
      [...list].some((sentence) => at.has(sentence)),
    ).length;
    return { ...term, weight: term.weight / Math.sqrt(Math.max(1, options)) };
  });
}

/** Where the other options are mentioned, but not this one. */
function rivalsOf(option: Option, places: ReadonlyMap<Option, readonly Place[]>): Rivals {
  const where = (of: (term: ReadTerm) => number): Set<number> => {
    const others = [...places].flatMap(([other, list]) => (other === option ? [] : list));
    const found = new Set(others.map(({ anchor }) => of(anchor)));
    for (const { anchor } of places.get(option) ?? []) found.delete(of(anchor));
    return found;
  };
  return { sentences: where(({ sentence }) => sentence), clauses: where(({ clause }) => clause) };
}

type Clauses = Reading & { clauses: ReadonlyMap<number, ReadTerm[]> };

function mentionsOf(
  option: Option,
  own: readonly AskedTerm[],
  asked: readonly AskedTerm[],
  rivals: Rivals,
  places: readonly Place[],
  reading: Clauses,
): Mention[] {
  const keys = new Set(own.flatMap(({ found }) => found.map(({ term }) => term.key)));
  const negative = termsOf(option.text).some(({ word }) => NEGATION.test(word));
  const mentions = new Map<number, Mention>();
  for (const { anchor, coverage, matched } of places) {
    const { relevance, focus, nearest } = nearnessTo(matched, asked, keys, reading, rivals);
    const denied = isDenied(anchor, reading) !== negative;
    const score =
      coverage ** 1.5 *
      relevance *
      (LEAST_FOCUS + (1 - LEAST_FOCUS) * focus) *
      (denied ? DENIED : 1);
    const before = mentions.get(anchor.sentence);
    if (before === undefined || score > before.score)
      mentions.set(anchor.sentence, { score, relevance, own: matched, near: nearest, denied });
  }
  return [...mentions.values()].sort((a, b) => b.score - a.score);
}

/** Occurrences of the option's words; of very many, those of its rarest word. */
function anchorsOf(own: readonly AskedTerm[]): Occurrence[] {
  const numbers = own.filter(({ quantity }) => quantity !== null);
  const anchors = (numbers.length > 0 ? numbers : own).flatMap(({ found }) => found);
  const usable = anchors.filter(({ term }) => !term.operand);
  if (usable.length <= MOST_ANCHORS) return usable;
  const [rarest] = [...own].sort((a, b) => a.found.length - b.found.length);
  return (rarest?.found ?? []).slice(0, MOST_ANCHORS);
}

/** The weighted share of an option's words around one of them, and these words. A missing number counts heavily. */
function coverageAt(anchor: Occurrence, own: readonly AskedTerm[]) {
  const reach = 4 + 3 * own.length;
  let [all, there, missing] = [0, 0, 0];
  const matched: ReadTerm[] = [];
  for (const { weight, found, quantity } of own) {
    all += weight;
    let best: { term: ReadTerm; count: number } | null = null;
    for (const { term, strength } of found) {
      if (term.stream !== anchor.term.stream) continue;
      const distance = Math.abs(term.place - anchor.term.place);
      const count = strength / (1 + Math.max(0, distance - reach) / reach);
      if (distance <= 3 * reach && count > (best?.count ?? 0)) best = { term, count };
    }
    if (best === null) {
      if (quantity !== null) missing++;
      continue;
    }
    there += weight * best.count;
    matched.push(best.term);
  }
  return { coverage: all === 0 ? 0 : (there / all) * 0.25 ** missing, matched };
}

/** Words before a mention in which a negation denies it. */
const NEGATION_REACH = 5;

function isDenied(term: ReadTerm, { clauses }: Clauses): boolean {
  const clause = clauses.get(term.clause) ?? [];
  const before = clause.filter(
    ({ place, start }) => start < term.start && term.place - place <= NEGATION_REACH,
  );
  if (before.some(({ word }) => NEGATION.test(word))) return true;
  return INSTEAD.test(`${before.map(({ word }) => word).join(" ")} `);
}

function totalOf([first, ...more]: readonly Mention[]): number {
  if (first === undefined) return 0;
  const second = Math.max(0, ...more.map(({ score }) => score));
  return 1 - (1 - first.score) * (1 - REPEATED * second);
}

const MOST_MOMENTS = 5;

/** The best mentions of all options as moments, best first. */
export function optionMoments(
  mentions: Readonly<Record<string, readonly Mention[]>>,
  { sentences }: Reading,
): Moment[] {
  return Object.entries(mentions)
    .flatMap(([option, list]) =>
      list
        .filter(({ score }) => score > 0)
        .slice(0, 2)
        .map((mention) => ({ option, ...mention })),
    )
    .sort((a, b) => b.score - a.score)
    .slice(0, MOST_MOMENTS)
    .map(({ option, score, own, near }) => {
      const sentence = sentences[own[0]?.sentence ?? 0];
      const items = [...new Set([...own.map(({ item }) => item)])];
      const there = near.filter((term) => term.sentence === own[0]?.sentence);
      return {
        start_s: Math.min(...items.map(({ start_s }) => start_s)),
        end_s: Math.max(...items.map(({ end_s }) => end_s)),
        text: sentence?.text ?? "",
        words: [
          ...new Set([...there, ...own].sort((a, b) => a.place - b.place).map(({ word }) => word)),
        ],
        option,
        score: round(Math.min(1, score)),
        evidence: items.map(({ id }) => id),
      };
    });
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
