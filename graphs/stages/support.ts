import { byTimeKindId } from "../../src/core/evidence.ts";
import type { Evidence, Option, Question } from "../../src/core/shapes.ts";
import { type Passage, passagesOf, widened } from "./passages.ts";
import { SENTENCE_GAP, share, stems, type Weighing, weigh, weighted } from "./word-weights.ts";

/*
 * How well speech or text on screen supports an option, by words only:
 *
 *   score = share of the question's words in the passage x share of the option's own words there, each of these
 *           weighted down by its distance from a word of the question
 *
 * A rare word weighs more than a frequent one (its inverse document frequency). A word that is in the question or in
 * all options weighs nothing, and shares are of the option's own weight, so no option gains by its length.
 */

/** An option needs this share of its own words in the passage, and the question this share of its words. */
export const LEAST_SUPPORT = 0.5;
export const LEAST_RELEVANCE = 1 / 3;
/** The best option's score must be this many times the next one's. */
export const LEAST_LEAD = 1.6;

/**
 * At this distance in words from one of the question's, an option's word counts half; in another sentence at most half.
 */
const HALF_DISTANCE = SENTENCE_GAP;

/** A longer passage must score this many times a shorter one. */
const NOTABLY = 1.25;

/** Words by which a question refers to the video and to itself, not to its content. */
const ABOUT = new Set(
  (
    "accord answer ask best call caption clip correct describ discuss done explain film follow get given goe gone got " +
    "happen kind lectur lesson made make mani mention movi much name narrat option present question said saw sai " +
    "scene see seen show shown sort speaker speech state statement subtitl take talk teacher tell thing told " +
    "transcript true type video voic watch word"
  ).split(" "),
);

/** A question for the exception: what is said supports the wrong options. */
const ODD_ONE_OUT =
  /\b(?:which|what|who|whom|where|when)\b[^?]*(?:\b(?:not|never|no)\b|n['’]t\b)|\b(?:except|false|untrue|incorrect|wrong)\b/i;

const NEGATION = /\b(?:not|no|never|none|nothing|neither|nor|without|cannot)\b|n['’]t\b/i;

export interface Verdict {
  /** The supported option, or null. */
  letter: string | null;
  /** Items of the best passage that contain words of the best option. */
  cites: Evidence[];
  /** Best score of each option, 0 to 1. */
  scores: Record<string, number>;
}

/** Weighs the options of a question against all passages around the `near` items. */
export function weighOptions(
  question: Question,
  evidence: readonly Evidence[],
  near: ReadonlySet<string>,
): Verdict {
  const options = question.options ?? [];
  if (ODD_ONE_OUT.test(question.text)) return { letter: null, cites: [], scores: {} };
  const weighing = weigh(evidence);
  const asked = contentStems(stems(question.text));
  const passages = passagesOf(evidence, near);
  const best = options
    .map((option) => bestPassage(option, options, asked, passages, weighing))
    .sort((a, b) => b.score - a.score);
  const [first, second] = best;
  const settled =
    first !== undefined &&
    first.support >= LEAST_SUPPORT &&
    first.relevance >= LEAST_RELEVANCE &&
    first.score >= LEAST_LEAD * (second?.score ?? 0);
  return {
    letter: settled ? first.option.letter : null,
    cites: settled ? first.cites : [],
    scores: Object.fromEntries(
      options.map(({ letter }) => [
        letter,
        round(best.find((one) => one.option.letter === letter)?.score ?? 0),
      ]),
    ),
  };
}

function bestPassage(
  option: Option,
  options: readonly Option[],
  asked: ReadonlySet<string>,
  passages: readonly Passage[],
  weighing: Weighing,
) {
  const own = ownWords(option, options, asked, weighing);
  const wanted = weighted(asked, weighing);
  const negated = NEGATION.test(option.text);
  let best = { option, score: 0, support: 0, relevance: 0, cites: [] as Evidence[], length: 0 };
  for (const passage of passages) {
    // An option that denies something is not supported by a passage that affirms it.
    if (negated && !NEGATION.test(passage.text)) continue;
    const said = wordsOf(passage, weighing);
    const support = share(own, said);
    const relevance = share(wanted, said);
    const bar = best.score * (passage.items.length > best.length ? NOTABLY : 1);
    if (support * relevance <= bar) continue;
    const score = relevance * nearShare(own, asked, passage, weighing);
    if (score <= bar) continue;
    const cites = passage.items.filter((item) =>
      [...own.keys()].some((stem) => weighing.stemsOf(item).has(stem)),
    );
    best = { option, score, support, relevance, cites, length: passage.items.length };
  }
  return best;
}

/** The weighted share of an option's words in a passage, each by how near a word of the question is. */
function nearShare(
  own: ReadonlyMap<string, number>,
  asked: ReadonlySet<string>,
  passage: Passage,
  weighing: Weighing,
): number {
  const words = passage.items.flatMap((item) => weighing.tokensOf(item));
  const marks = words.flatMap((word, place) => (asked.has(word) ? [place] : []));
  const nearest = new Map<string, number>();
  for (const [place, word] of words.entries()) {
    if (!own.has(word)) continue;
    const distance = Math.min(...marks.map((mark) => Math.abs(mark - place)));
    nearest.set(word, Math.min(distance, nearest.get(word) ?? Number.POSITIVE_INFINITY));
  }
  let all = 0;
  let there = 0;
  for (const [word, weight] of own) {
    all += weight;
    there += weight / (1 + (nearest.get(word) ?? Number.POSITIVE_INFINITY) / HALF_DISTANCE);
  }
  return all === 0 ? 0 : there / all;
}

/** The weights of an option's words: words of the question are left out, words of other options weigh less. */
function ownWords(
  option: Option,
  options: readonly Option[],
  asked: ReadonlySet<string>,
  weighing: Weighing,
): Map<string, number> {
  const others = options.filter((other) => other !== option).map((other) => stems(other.text));
  const own = new Map<string, number>();
  for (const stem of stems(option.text)) {
    const shared = others.filter((words) => words.has(stem)).length;
    const weight = weighing.idf(stem) * (1 - shared / Math.max(1, others.length));
    if (weight > 0 && !asked.has(stem)) own.set(stem, weight);
  }
  return own;
}

/**
 * The sentences about an open question from the passage with the largest share of its words; null if that share is
 * below `least`. A sentence may begin an item earlier and end an item later than its passage.
 */
export function bestSentences(
  question: Question,
  evidence: readonly Evidence[],
  near: ReadonlySet<string>,
  least: number,
): { text: string; cites: Evidence[] } | null {
  const weighing = weigh(evidence);
  const asked = questionWords(question, weighing);
  let best: Passage | null = null;
  let most = 0;
  for (const passage of passagesOf(evidence, near)) {
    const relevance = share(asked, wordsOf(passage, weighing));
    if (relevance > most) [best, most] = [passage, relevance];
  }
  if (best === null || most < least) return null;
  return sentencesAbout(asked, widened(best, evidence));
}

const sentences = new Intl.Segmenter("en", { granularity: "sentence" });

function sentencesAbout(asked: ReadonlyMap<string, number>, passage: Passage) {
  const relevant = [...sentences.segment(passage.text)].filter(({ segment }) =>
    [...stems(segment)].some((stem) => asked.has(stem)),
  );
  const spans = relevant.map(({ index, segment }) => ({ from: index, to: index + segment.length }));
  let at = 0;
  const cites = passage.items.filter((item) => {
    const from = at;
    at += item.text.length + 1;
    return spans.some((span) => span.from < at - 1 && span.to > from);
  });
  return { text: relevant.map(({ segment }) => segment.trim()).join(" "), cites };
}

/** Items that share words with `text`, those with the rarest first. */
export function supporting(text: string, evidence: readonly Evidence[]): Evidence[] {
  const weighing = weigh(evidence);
  const words = weighted(stems(text), weighing);
  return evidence
    .map((item) => ({ item, weight: share(words, weighing.stemsOf(item)) }))
    .filter(({ weight }) => weight > 0)
    .sort((a, b) => b.weight - a.weight || byTimeKindId(a.item, b.item))
    .map(({ item }) => item);
}

/** The question's words with their weights, without those that refer to the video or to the question itself. */
export function questionWords(question: Question, weighing: Weighing): Map<string, number> {
  return weighted(contentStems(stems(question.text)), weighing);
}

function contentStems(words: ReadonlySet<string>): Set<string> {
  return new Set([...words].filter((stem) => !ABOUT.has(stem)));
}

function round(score: number): number {
  return Math.round(score * 1000) / 1000;
}

function wordsOf(passage: Passage, weighing: Weighing): Set<string> {
  return new Set(passage.items.flatMap((item) => [...weighing.stemsOf(item)]));
}
