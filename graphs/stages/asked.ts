import type { Question } from "../../src/core/shapes.ts";
import type { Quantity } from "../../tools/mathematics/quantities.ts";
import { sameQuantity } from "../../tools/mathematics/quantities.ts";
import { unitNamed } from "../../tools/mathematics/units.ts";
import { type Term, termsOf } from "../../tools/search/text-terms.ts";
import { relatedStems } from "../../tools/search/word-forms.ts";
import type { Reading, ReadTerm } from "./reading.ts";

/*
 * What a question asks for: its words with their weights and their occurrences in the evidence.
 */

/** A word or number of a question or an option, and where the evidence has it. */
export interface AskedTerm {
  key: string;
  word: string;
  /** Its rarity in the evidence. */
  weight: number;
  quantity: Quantity | null;
  /** Dimensions of quantities that express the word, such as `mass` for `heavy`. */
  dimensions: readonly string[];
  found: Occurrence[];
  /** The same by stream, in the order of places. */
  streams: ReadonlyMap<number, Occurrence[]>;
}

export interface Occurrence {
  term: ReadTerm;
  /** 1 for the same word, less for a similar one. */
  strength: number;
}

/** Stems by which a question refers to the video and to itself, not to its content. */
const ABOUT = new Set(
  (
    "accord answer ask best call caption clip correct describ discuss done explain film follow get given give goe gone got " +
    "happen kind lectur lesson made make mani mention movi much name narrat option present question said saw sai " +
    "scene see seen show shown sort speaker speech state statement subtitl take talk teacher tell thing told " +
    "transcript true type valu video voic watch word slide screen accord state"
  ).split(" "),
);

/** Stems without those that refer to the video or to the question itself. */
export function contentWords(stems: ReadonlySet<string>): Set<string> {
  return new Set([...stems].filter((stem) => !ABOUT.has(stem)));
}

const MEASURES: Readonly<Record<string, readonly string[]>> = {
  temperature: ["temperature", "hot", "cold", "warm", "heated", "degrees"],
  "mass,pound": ["heavy", "weight", "weigh", "mass"],
  "length,time": ["long", "length", "last"],
  length: [
    "far",
    "distance",
    "tall",
    "high",
    "height",
    "deep",
    "depth",
    "wide",
    "width",
    "thick",
    "thickness",
    "diameter",
    "radius",
    "altitude",
  ],
  speed: ["fast", "speed", "velocity", "quickly"],
  "money,pound": [
    "cost",
    "costs",
    "price",
    "expensive",
    "pay",
    "paid",
    "charge",
    "fee",
    "salary",
    "budget",
    "money",
    "worth",
    "spend",
  ],
  percent: ["percent", "percentage", "share", "proportion", "rate", "interest"],
  "time,clock": ["time", "duration", "when", "start", "begin", "open"],
  time: ["age", "old", "takes", "take"],
  volume: ["volume", "capacity"],
  area: ["area", "large"],
  voltage: ["voltage"],
  frequency: ["frequency"],
  pressure: ["pressure"],
  energy: ["energy"],
  power: ["power"],
  force: ["force"],
};
const DIMENSIONS = new Map<string, string[]>();
for (const [dimensions, words] of Object.entries(MEASURES))
  for (const word of words)
    for (const [stem, strength] of relatedStems(word))
      if (strength === 1)
        DIMENSIONS.set(stem, [...(DIMENSIONS.get(stem) ?? []), ...dimensions.split(",")]);

/** The dimensions of quantities that a word asks for; empty for other words. */
export function dimensionsOf({ key, word }: Pick<Term, "key" | "word">): readonly string[] {
  const unit = word.length > 1 ? unitNamed(word.toLowerCase()) : null;
  return unit === null ? (DIMENSIONS.get(key) ?? []) : [unit.dimension];
}

/** Stems of words that say little of what a question is about, and how much they count. */
const LIGHT = new Set(
  (
    "need requir us go goe come belong put add get have has keep let becom turn call known work state appli consist " +
    "list mention account amount much number exactli approxim actual use recommend necessari must can could typic usual " +
    "against accord per across around along within toward onto upon via"
  ).split(" "),
);
const LIGHT_WEIGHT = 0.4;

/** The words of a question, without those that refer to the video or to the question itself. */
export function askedTerms({ text }: Pick<Question, "text">, reading: Reading): AskedTerm[] {
  const topic = topicOf(text);
  const all = findTerms(text, reading);
  const content = all.filter(({ key }) => !ABOUT.has(key));
  const isFound = ({ found }: AskedTerm) => found.length > 0;
  // "What is the answer?" is about a word that usually refers to the question.
  return (content.some(isFound) || !all.some(isFound) ? content : all.filter(isFound)).map(
    (term) => {
      const share = LIGHT.has(term.key)
        ? LIGHT_WEIGHT
        : term.key === topic
          ? TOPIC_WEIGHT
          : term.quantity !== null
            ? NUMBER_WEIGHT
            : 1;
      return { ...term, weight: share * term.weight };
    },
  );
}

/** What a number of the question counts, such as the year that it asks about. */
const NUMBER_WEIGHT = 2.5;

/** What the topic counts: a video may put a verb in other words, but rarely what it speaks about. */
const TOPIC_WEIGHT = 1.4;
const AUXILIARY =
  /^(?:do|does|did|is|are|was|were|has|have|had|can|could|should|must|will|would|may|might)$/i;

/**
 * The first word after the auxiliary verb of a question that is no participle, unless `of` follows: `north` of "What does
 * the north export?".
 */
function topicOf(question: string): string | undefined {
  const terms = termsOf(question);
  const after = terms.slice(terms.findIndex(({ word }) => AUXILIARY.test(word)) + 1);
  const at = after.findIndex(({ key, word }) => key !== "" && !LIGHT.has(key) && !/ed$/.test(word));
  return after[at + 1]?.word === "of" || after.length === terms.length ? undefined : after[at]?.key;
}

/** The different words and numbers of a text, with their occurrences in the evidence. */
export function findTerms(text: string, reading: Reading): AskedTerm[] {
  const read = termsOf(text);
  // The unit of a quantity may be written in another way, so its words do not count.
  const measured = read.filter(({ quantity }) => quantity !== null && quantity.dimension !== null);
  const isUnit = (term: Term) =>
    term.quantity === null &&
    measured.some(({ start, end }) => start <= term.start && term.end <= end);
  const terms = new Map(read.filter((term) => !isUnit(term)).map((term) => [term.key, term]));
  terms.delete("");
  return [...terms.values()].map((term) => {
    const { key, word, quantity } = term;
    const found = quantity === null ? wordsLike(term, reading) : numbersLike(quantity, reading);
    const rate = /\b(?:per|an?|each|every)\s+$/i.test(text.slice(0, term.start));
    const dimensions = quantity === null && !rate ? dimensionsOf(term) : [];
    const sorted = found.toSorted((a, b) => a.term.place - b.term.place);
    const streams = Map.groupBy(sorted, (one) => one.term.stream);
    const weight = weightOf(key, found, reading);
    return { key, word, quantity, dimensions, weight, found, streams };
  });
}

/** Few occurrences are all looked at, of many those around a place. */
export const FEW = 32;

/** The occurrences of a term in a stream within a distance of a place; of few occurrences all of them. */
export function occurrencesNear(
  { streams }: Pick<AskedTerm, "streams">,
  stream: number,
  place: number,
  distance: number,
): readonly Occurrence[] {
  const all = streams.get(stream) ?? [];
  if (all.length <= FEW) return all;
  return all.slice(firstFrom(all, place - distance), firstFrom(all, place + distance + 1));
}

function firstFrom(all: readonly Occurrence[], place: number): number {
  let [low, high] = [0, all.length];
  while (low < high) {
    const middle = (low + high) >> 1;
    if ((all[middle]?.term.place ?? 0) < place) low = middle + 1;
    else high = middle;
  }
  return low;
}

/** The rarity of a word with its other forms, or of a number however it is written. */
function weightOf(key: string, found: readonly Occurrence[], reading: Reading): number {
  const exact = found.filter(({ strength }) => strength === 1);
  const sentences = new Set(exact.map(({ term }) => term.sentence)).size;
  return Math.max(
    LEAST_WEIGHT,
    sentences === 0 ? reading.idf(key) : Math.log(1 + reading.sentences.length / sentences),
  );
}

/** A word in every sentence still counts a little. */
const LEAST_WEIGHT = 0.1;

function numbersLike(quantity: Quantity, { terms }: Reading): Occurrence[] {
  return terms.flatMap((term) =>
    term.quantity !== null && sameQuantity(term.quantity, quantity) ? [{ term, strength: 1 }] : [],
  );
}

function wordsLike({ word, key }: Term, reading: Reading): Occurrence[] {
  const related =
    /^[a-z]/i.test(word) && word.length > 1
      ? relatedStems(word.toLowerCase())
      : new Map<string, number>();
  related.set(key, 1);
  const exact = [...related].flatMap(([stem, strength]) =>
    (reading.postings.get(stem) ?? []).map((term) => ({ term, strength })),
  );
  if (exact.some(({ strength }) => strength === 1)) return exact;
  return [...exact, ...misread(key, reading)];
}

/** How much a word counts that is spelt almost alike, as text recognition and derivation leave it. */
const ALIKE = 0.75;

function misread(key: string, { postings }: Reading): Occurrence[] {
  if (key.length < 5 || key.startsWith("#")) return [];
  const alike = [...postings.keys()].filter(
    (other) => !other.startsWith("#") && isAlike(key, other),
  );
  return alike.flatMap((other) =>
    (postings.get(other) ?? []).map((term) => ({ term, strength: ALIKE })),
  );
}

/** One letter differs, or both begin with the same five letters and most of the longer one. */
export function isAlike(a: string, b: string): boolean {
  if (a.slice(0, 2) !== b.slice(0, 2) && a.slice(-3) !== b.slice(-3)) return false;
  let same = 0;
  while (same < Math.min(a.length, b.length) && a[same] === b[same]) same++;
  if (same >= 5 && same >= 0.65 * Math.max(a.length, b.length)) return true;
  if (Math.abs(a.length - b.length) > 1 || Math.min(a.length, b.length) < 5) return false;
  const [restA, restB] = [a.slice(same), b.slice(same)];
  return restA.slice(1) === restB.slice(1) || restA.slice(1) === restB || restA === restB.slice(1);
}
