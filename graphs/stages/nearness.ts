import { PRONOUN } from "../../tools/search/text-terms.ts";
import { type AskedTerm, FEW, type Occurrence, occurrencesNear } from "./asked.ts";
import type { Reading, ReadTerm } from "./reading.ts";

/*
 * How near the words of a question are to a place in the evidence: in words within one text, in time between speech and
 * what is on screen.
 */

/** At this distance in words a word of the question counts half. */
const HALF_DISTANCE = 12;
/** Words further away do not count. */
const FURTHEST = 80;
/** The distance of the heading of a slide from its lines, at most. */
const HEADING = 10;
/** The distance of the name of a column from its cells, and from those of other columns. */
const COLUMN = 2;
const OTHER_COLUMN = 50;
/** The distance in words between what is said and what is on screen at the same time, and within `NEAR_S`. */
const SAME_TIME = 22;
const NEAR_TIME = 40;
const NEAR_S = 8;

/** The evidence with the terms of each clause. */
export type Clauses = Reading & { clauses: ReadonlyMap<number, ReadTerm[]> };

export interface Nearness {
  /** Weighted share of the question's words near the place, 0 to 1. */
  relevance: number;
  /** How much of the clause's words are of the question, 0 to 1. */
  focus: number;
  /** The terms of the evidence that are nearest. */
  nearest: ReadTerm[];
}

/** How near the asked words are to the terms of a passage, which are of one text. */
export function nearnessTo(
  passage: readonly ReadTerm[],
  asked: readonly AskedTerm[],
  own: ReadonlySet<string>,
  reading: Clauses,
  rivals: Rivals = NO_RIVALS,
): Nearness {
  const dimensions = new Set(passage.flatMap(({ quantity }) => quantity?.dimension ?? []));
  let [all, there] = [0, 0];
  const nearest: ReadTerm[] = [];
  for (const term of asked) {
    all += term.weight;
    const best = nearestOf(term, passage, rivals, reading);
    const measured = term.dimensions.some((dimension) => dimensions.has(dimension)) ? MEASURED : 0;
    there += term.weight * Math.max(best.count, measured);
    if (best.term !== null) nearest.push(best.term);
  }
  return {
    // A question that names nothing, such as "Which statement is true?", is about all of the video.
    relevance: all === 0 ? 1 : there / all,
    focus: focusOf(passage, asked, own, reading),
    nearest,
  };
}

/** How much a word counts that only the unit of a quantity expresses. */
const MEASURED = 0.8;

/** Sentences and clauses that hold another answer, and not this one: their words belong to that. */
export interface Rivals {
  sentences: ReadonlySet<number>;
  clauses: ReadonlySet<number>;
}

const NO_RIVALS: Rivals = { sentences: new Set(), clauses: new Set() };

/** What a word counts from a sentence or clause that holds another answer. */
const RIVAL_SENTENCE = 0.3;
const RIVAL_CLAUSE = 0.5;

function nearestOf(
  asked: AskedTerm,
  passage: readonly ReadTerm[],
  { sentences, clauses }: Rivals,
  reading: Clauses,
) {
  let best: { term: ReadTerm | null; count: number } = { term: null, count: 0 };
  const weigh = ({ term, strength }: Occurrence, place: ReadTerm) => {
    const distance = distanceOf(term, place);
    if (distance > FURTHEST || strength / (1 + distance / HALF_DISTANCE) <= best.count) return;
    const rival =
      sentences.has(term.sentence) && !reading.sentences[place.sentence]?.continues
        ? RIVAL_SENTENCE
        : clauses.has(term.clause) && !refersBack(place, reading)
          ? RIVAL_CLAUSE
          : 1;
    const count = (rival * strength) / (1 + distance / HALF_DISTANCE);
    if (count > best.count) best = { term, count };
  };
  for (const place of passage)
    for (const one of occurrencesNear(asked, place.stream, place.place, FURTHEST))
      weigh(one, place);
  // In other texts only the time counts, so one place stands for the passage.
  const [first] = passage;
  if (first === undefined || best.count >= 1 / (1 + SAME_TIME / HALF_DISTANCE)) return best;
  for (const [stream, all] of asked.streams)
    if (stream !== first.stream) for (const one of atTime(all, first)) weigh(one, first);
  return best;
}

/** Whether a pronoun in the clause of a term stands for what an earlier clause names. */
function refersBack({ clause }: ReadTerm, { clauses }: Clauses): boolean {
  return (clauses.get(clause) ?? []).some(({ word }) => PRONOUN.test(word));
}

/** Longest item whose time is compared, in seconds, if there are many. */
const LONGEST_S = 60;

/** The occurrences of a stream near the time of a term; of few all. Speech is in the order of time. */
function atTime(all: readonly Occurrence[], { item }: ReadTerm): readonly Occurrence[] {
  if (all.length <= FEW) return all;
  let [low, high] = [0, all.length];
  while (low < high) {
    const middle = (low + high) >> 1;
    if ((all[middle]?.term.item.start_s ?? 0) < item.start_s - LONGEST_S) low = middle + 1;
    else high = middle;
  }
  const near: Occurrence[] = [];
  for (let at = low; at < all.length; at++) {
    const one = all[at] as Occurrence;
    if (one.term.item.start_s > item.end_s + NEAR_S) break;
    near.push(one);
  }
  return near;
}

function distanceOf(a: ReadTerm, b: ReadTerm): number {
  if (a.stream === b.stream) {
    const [cell, other] = [a.cell, b.cell];
    if (
      cell !== null &&
      other !== null &&
      cell.table === other.table &&
      cell.header !== other.header
    )
      return cell.column === other.column ? COLUMN : OTHER_COLUMN;
    const distance = Math.abs(a.place - b.place);
    return a.heading || b.heading ? Math.min(HEADING, distance) : distance;
  }
  const apart_s = Math.max(a.item.start_s, b.item.start_s) - Math.min(a.item.end_s, b.item.end_s);
  if (apart_s <= 0) return SAME_TIME;
  return apart_s <= NEAR_S ? NEAR_TIME : Number.POSITIVE_INFINITY;
}

/** A clause with many other words is about something else. */
function focusOf(
  passage: readonly ReadTerm[],
  asked: readonly AskedTerm[],
  own: ReadonlySet<string>,
  { clauses, idf }: Clauses,
): number {
  const [first] = passage;
  if (first === undefined) return 0;
  const wanted = new Set(asked.flatMap(({ found }) => found.map(({ term }) => term.key)));
  let [all, there] = [0, 0];
  for (const { key, quantity } of clauses.get(first.clause) ?? []) {
    if (key === "" || own.has(key) || quantity !== null) continue;
    const weight = idf(key);
    all += weight;
    if (wanted.has(key)) there += weight;
  }
  return all === 0 ? 0.5 : there / all;
}
