import { byTimeKindId } from "../../src/core/evidence.ts";
import type { Evidence } from "../../src/core/shapes.ts";
import { PRONOUN, SENTENCE_GAP, type Term, termsOf } from "../../tools/search/text-terms.ts";
import { type Cell, cellsOf, columnNames, findTables } from "./tables.ts";

/*
 * Reads evidence as a person does: speech as one text across its cues, writing as the lines of each slide.
 */

/** A term of the evidence. */
export interface ReadTerm extends Term {
  item: Evidence;
  /** Terms with the same stream are in one text, in the order of their places. */
  stream: number;
  /** In the first line of a slide. */
  heading: boolean;
  /** Place in a table; null outside tables. */
  cell: Cell | null;
}

/** A sentence of speech or a line of a slide. */
export interface Sentence {
  text: string;
  /** What follows on the line if the full stop is that of an abbreviation: `sec.` after `is sem.`; else empty. */
  remainder: string;
  terms: ReadTerm[];
  items: Evidence[];
  stream: number;
  spoken: boolean;
  /** Whether a pronoun at its beginning refers to the sentence before it. */
  continues: boolean;
  start_s: number;
  end_s: number;
}

/** The evidence as text. `sentence` and `clause` of a term are unique over all streams. */
export interface Reading {
  terms: ReadTerm[];
  sentences: Sentence[];
  /** Terms by their keys. */
  postings: ReadonlyMap<string, ReadTerm[]>;
  /** Rarity of a key: the logarithm of the number of sentences over the number with the key. */
  idf(key: string): number;
}

/** Cues that follow each other by at most this many seconds are one text. */
const PAUSE_S = 3;
/** Words that a longer pause counts as. */
const PAUSE_GAP = 24;
/** Words that the end of a line of a slide counts as. */
const LINE_GAP = 6;
/** More words per sentence on average mean that sentences are not marked. */
const LONGEST_SENTENCE = 30;
/** A text with fewer words may be one sentence without a mark. */
const SHORT_TEXT = 12;
/** Seconds for which lines are seen together, at least, if they are on one slide. */
const TOGETHER_S = 0.2;

export function readEvidence(evidence: readonly Evidence[]): Reading {
  const builder = { terms: [] as ReadTerm[], sentences: [] as Sentence[], streams: 0, clauses: 0 };
  const shown = evidence.filter(({ text }) => text.trim() !== "");
  for (const kind of new Set(shown.filter(isRunning).map((item) => item.kind)))
    addSpeech(
      shown.filter((item) => item.kind === kind),
      builder,
    );
  for (const slide of slidesOf(shown.filter(isWritten))) addSlide(slide, builder);
  const postings = Map.groupBy(
    builder.terms.filter(({ key }) => key !== ""),
    ({ key }) => key,
  );
  const total = builder.sentences.length;
  const rarity = new Map<string, number>();
  return {
    terms: builder.terms,
    sentences: builder.sentences,
    postings,
    idf: (key) => {
      const known = rarity.get(key);
      if (known !== undefined) return known;
      const sentences = new Set((postings.get(key) ?? []).map(({ sentence }) => sentence)).size;
      // A missing word weighs like one that occurs once: the video may use a synonym.
      const idf = Math.log(1 + total / Math.max(1, sentences));
      rarity.set(key, idf);
      return idf;
    },
  };
}

type Builder = { terms: ReadTerm[]; sentences: Sentence[]; streams: number; clauses: number };

function isWritten({ kind }: Evidence): boolean {
  return kind === "text" || kind === "equation";
}

/** Speech, and captions in the order of time. */
function isRunning(item: Evidence): boolean {
  return !isWritten(item) && item.kind !== "comparison" && item.kind !== "calculation";
}

/** Joins the cues of a kind to paragraphs, so that a sentence or number may span cues. */
function addSpeech(items: readonly Evidence[], builder: Builder): void {
  const stream = builder.streams++;
  let place = 0;
  let paragraph: Evidence[] = [];
  const end = () => {
    if (paragraph.length === 0) return;
    const { text, starts } = joined(paragraph);
    place = addText(text, (at) => paragraph[lastBefore(starts, at)] as Evidence, {
      ...{ stream, place, heading: false, spoken: true },
      builder,
    });
    place += PAUSE_GAP;
    paragraph = [];
  };
  for (const item of [...items].sort(byTimeKindId)) {
    const last = paragraph.at(-1);
    if (last !== undefined && (item.start_s - last.end_s > PAUSE_S || item.kind === "caption"))
      end();
    paragraph.push(item);
  }
  end();
}

/** Cues without punctuation, as automatic captions have, are sentences of their own. */
function joined(items: readonly Evidence[]): { text: string; starts: number[] } {
  const texts = items.map(({ text }) => text.replace(/\s+/g, " ").trim());
  const words = texts.join(" ").split(" ").length;
  const marks = texts.join(" ").match(/[.!?…](?:\s|$)|[。！？]/g)?.length ?? 0;
  const marked = marks > 0 || words < SHORT_TEXT;
  const end = marked && words <= LONGEST_SENTENCE * (marks + 1) ? " " : "\n";
  const starts: number[] = [];
  let text = "";
  for (const one of texts) {
    starts.push(text.length);
    text += `${one}${end}`;
  }
  return { text, starts };
}

/** Index of the last start that is not after a position. */
function lastBefore(starts: readonly number[], at: number): number {
  let [low, high] = [0, starts.length];
  while (low < high) {
    const middle = (low + high) >> 1;
    if ((starts[middle] ?? 0) <= at) low = middle + 1;
    else high = middle;
  }
  return Math.max(0, low - 1);
}

/** Groups lines that are seen at the same time. A line that stays over several slides is on the first. */
function slidesOf(items: readonly Evidence[]): Evidence[][] {
  const slides: { items: Evidence[]; from_s: number; to_s: number }[] = [];
  for (const item of [...items].sort((a, b) => a.start_s - b.start_s || b.end_s - a.end_s)) {
    const slide = slides.findLast(
      ({ from_s, to_s }) =>
        Math.min(to_s, item.end_s) - Math.max(from_s, item.start_s) >=
        Math.min(TOGETHER_S, item.end_s - item.start_s),
    );
    if (slide === undefined) {
      slides.push({ items: [item], from_s: item.start_s, to_s: item.end_s });
      continue;
    }
    slide.items.push(item);
    slide.from_s = Math.max(slide.from_s, item.start_s);
    slide.to_s = Math.min(slide.to_s, item.end_s);
  }
  return slides.map((slide) => slide.items);
}

/** Adds the lines of a slide from top to bottom, those of a row from left to right. */
function addSlide(items: readonly Evidence[], builder: Builder): void {
  const stream = builder.streams++;
  const lines = rowsOf(items).flatMap((row) =>
    row.length > 1
      ? [row.map((item) => ({ item, text: item.text }))]
      : row.flatMap((item) =>
          item.text.split(/\s*\n\s*/).map((line) => cellsOf(line).map((text) => ({ item, text }))),
        ),
  );
  const tables = findTables(lines.map((line) => line.map(({ text }) => text)));
  let place = 0;
  for (const [number, line] of lines.entries()) {
    const cells = tables[number] ?? null;
    // The names of columns may be one text.
    const parts =
      cells !== null && cells.length > line.length
        ? columnNames(line[0]?.text ?? "").map((text) => ({
            item: line[0]?.item as Evidence,
            text,
          }))
        : line;
    const whole = parts.map(({ text }) => text).join(" | ");
    let from = 0;
    const starts = parts.map(({ text }) => {
      const start = from;
      from += text.length + 3;
      return start;
    });
    if (whole.trim() === "") continue;
    place = addText(whole, (at) => parts[lastBefore(starts, at)]?.item as Evidence, {
      ...{ stream, place, heading: number === 0 && cells === null, spoken: false, builder },
      cellAt: (at) => cells?.[lastBefore(starts, at)] ?? null,
    });
    place += LINE_GAP;
  }
}

function rowsOf(items: readonly Evidence[]): Evidence[][] {
  const middle = ({ box }: Evidence) => (box === undefined ? 0 : box.y + box.height / 2);
  const rows: Evidence[][] = [];
  for (const item of items.toSorted((a, b) => middle(a) - middle(b))) {
    const row = rows.at(-1);
    const [first] = row ?? [];
    const same =
      first?.box !== undefined &&
      item.box !== undefined &&
      Math.abs(middle(first) - middle(item)) < Math.min(first.box.height, item.box.height) / 2;
    if (same) row?.push(item);
    else rows.push([item]);
  }
  return rows.map((row) => row.toSorted((a, b) => (a.box?.x ?? 0) - (b.box?.x ?? 0)));
}

interface TextPlace {
  stream: number;
  place: number;
  heading: boolean;
  spoken: boolean;
  builder: Builder;
  cellAt?: (at: number) => Cell | null;
}

/** A short word whose full stop, before a word in lower case, ends no sentence of a slide. */
const CUT_WORD = /(?<!\p{L})\p{L}{1,4}\.\s+$/u;

/** Words of a sentence among which a pronoun refers to the sentence before. */
const PRONOUN_REACH = 5;

/** Adds a text as sentences; returns the place after it. */
function addText(
  text: string,
  itemAt: (at: number) => Evidence,
  { stream, place, heading, spoken, builder, cellAt = () => null }: TextPlace,
): number {
  const read = termsOf(text);
  const firstSentence = builder.sentences.length;
  const firstClause = builder.clauses;
  const terms = read.map((term) => ({
    ...term,
    ...{ stream, heading, item: itemAt(term.start), cell: cellAt(term.start) },
    place: place + term.place,
    sentence: firstSentence + term.sentence,
    clause: firstClause + term.clause,
  }));
  for (const term of terms) builder.terms.push(term);
  builder.clauses += (read.at(-1)?.clause ?? 0) + 1;
  const bounds = Map.groupBy(terms, ({ sentence }) => sentence);
  const groups = [...bounds.values()];
  for (const [index, group] of groups.entries()) {
    const [first] = group as [ReadTerm, ...ReadTerm[]];
    const next = groups[index + 1]?.[0]?.start ?? text.length;
    const items = [...new Set(group.map(({ item }) => item))];
    const from = index === 0 ? 0 : first.start;
    const isCut =
      !spoken && CUT_WORD.test(text.slice(from, next)) && /^\p{Ll}/u.test(text.slice(next));
    builder.sentences.push({
      ...{ stream, spoken, terms: group, items },
      continues: group.slice(0, PRONOUN_REACH).some(({ word }) => PRONOUN.test(word)),
      text: text.slice(from, next).trim(),
      remainder: isCut ? (/.*/.exec(text.slice(next))?.[0] ?? "").trim() : "",
      start_s: Math.min(...items.map(({ start_s }) => start_s)),
      end_s: Math.max(...items.map(({ end_s }) => end_s)),
    });
  }
  return place + (read.at(-1)?.place ?? 0) + (spoken ? SENTENCE_GAP : 1);
}
