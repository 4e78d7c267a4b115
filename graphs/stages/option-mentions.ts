import type { Moment, Option } from "../../src/core/shapes.ts";
import { termsOf } from "../../tools/search/text-terms.ts";
import { type AskedTerm, type Occurrence, occurrencesNear } from "./asked.ts";
import { isCompared, isDenied, NEGATION } from "./denial.ts";
import { type Clauses, nearnessTo, type Rivals } from "./nearness.ts";
import type { Reading, ReadTerm } from "./reading.ts";

/* Where the evidence mentions an option, and how well each mention fits the question. */

/** A mention of an option needs this share of the option's words. */
const LEAST_COVERAGE = 0.5;
/** What a denied mention counts, and what something else is compared with. */
const DENIED = 0.2;
const COMPARED = 0.2;
const DOUBTFUL = 0.5;
/** What a mention counts at least if its clause is about something else. */
const LEAST_FOCUS = 0.7;
/** More mentions of an option than this are not weighed. */
const MOST_ANCHORS = 400;

/** A place of the evidence that mentions an option. */
export interface Mention {
  score: number;
  relevance: number;
  /** The terms of the option, and those of the question near them. */
  own: ReadTerm[];
  near: ReadTerm[];
  denied: boolean;
}

/** A place at which enough of an option's words are together. */
export interface Place {
  anchor: ReadTerm;
  matched: ReadTerm[];
  coverage: number;
}

export function placesOf(own: readonly AskedTerm[]): Place[] {
  return anchorsOf(own).flatMap((anchor) => {
    const { coverage, matched } = coverageAt(anchor, own);
    return coverage < LEAST_COVERAGE ? [] : [{ anchor: anchor.term, coverage, matched }];
  });
}

/** A word in the clauses of several options tells little about which of them is right. */
export function selective(
  asked: readonly AskedTerm[],
  places: readonly (readonly Place[])[],
): AskedTerm[] {
  const clauses = places.map((list) => new Set(list.map(({ anchor }) => anchor.clause)));
  return asked.map((term) => {
    const at = new Set(term.found.map((one) => one.term.clause));
    const options = clauses.filter((list) => [...list].some((clause) => at.has(clause))).length;
    return { ...term, weight: term.weight / Math.sqrt(Math.max(1, options)) };
  });
}

/** Where the other options are mentioned, but not this one. */
export function rivalsOf(option: Option, places: ReadonlyMap<Option, readonly Place[]>): Rivals {
  const where = (of: (term: ReadTerm) => number): Set<number> => {
    const others = [...places].flatMap(([other, list]) => (other === option ? [] : list));
    const found = new Set(others.map(({ anchor }) => of(anchor)));
    for (const { anchor } of places.get(option) ?? []) found.delete(of(anchor));
    return found;
  };
  return { sentences: where(({ sentence }) => sentence), clauses: where(({ clause }) => clause) };
}

export function mentionsOf(
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
      (denied ? DENIED : 1) *
      (isCompared(anchor, reading) ? COMPARED : 1);
    const before = mentions.get(anchor.sentence);
    if (before === undefined || score > before.score)
      mentions.set(anchor.sentence, { score, relevance, own: matched, near: nearest, denied });
  }
  const found = [...mentions.values()].sort((a, b) => b.score - a.score);
  // What is denied at the place that fits best is doubtful elsewhere.
  const doubtful = found.some(({ denied, relevance }) =>
    denied ? found.every((other) => other.relevance <= relevance) : false,
  );
  return doubtful
    ? found.map((one) => (one.denied ? one : { ...one, score: one.score * DOUBTFUL }))
    : found;
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
  for (const { weight, streams, quantity } of own) {
    all += weight;
    let best: { term: ReadTerm; count: number } | null = null;
    const { stream, place } = anchor.term;
    for (const { term, strength } of occurrencesNear({ streams }, stream, place, 3 * reach)) {
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

function round(score: number): number {
  return Math.round(score * 1000) / 1000;
}
