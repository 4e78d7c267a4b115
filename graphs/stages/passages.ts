import { byTimeKindId, isSpoken } from "../../src/core/evidence.ts";
import type { Evidence } from "../../src/core/shapes.ts";

/** Limits of a passage: items that follow each other closely, as a sentence spans cues. */
const MOST_ITEMS = 4;
const LONGEST_S = 20;
const WIDEST_GAP_S = 3;

/** A run of items that are read together. */
export interface Passage {
  items: Evidence[];
  start_s: number;
  end_s: number;
  text: string;
}

/**
 * Every run of neighbours that contains an item of `near`, shorter runs first, so that a longer run with an equal score
 * adds nothing. Spoken items of a run follow each other closely in time; text on screen is visible at the same time.
 */
export function passagesOf(evidence: readonly Evidence[], near: ReadonlySet<string>): Passage[] {
  const spoken = inReadingOrder(evidence, isTold);
  const written = inReadingOrder(evidence, isWriting);
  const passages: Passage[] = [];
  for (let length = 1; length <= MOST_ITEMS; length++)
    for (const [items, isOne] of [
      [spoken, isOneSpeech],
      [written, isOneSlide],
    ] as const)
      for (let from = 0; from + length <= items.length; from++) {
        const run = items.slice(from, from + length);
        if (run.some((item) => near.has(item.id)) && isOne(run)) passages.push(toPassage(run));
      }
  return passages;
}

/** Words in sentences: said, or written about the video. */
function isTold(item: Evidence): boolean {
  return isSpoken(item) || item.kind === "caption";
}

/** The figures along an axis and the letters in a drawing say nothing on their own. */
function isWriting(item: Evidence): boolean {
  return !isTold(item) && /\p{L}{3}|[\p{Lo}]{2}/u.test(item.text);
}

/** By time; items that appear at the same time by their place on screen. */
function inReadingOrder(
  evidence: readonly Evidence[],
  which: (item: Evidence) => boolean,
): Evidence[] {
  return evidence
    .filter(which)
    .sort(
      (a, b) => a.start_s - b.start_s || (a.box?.y ?? 0) - (b.box?.y ?? 0) || byTimeKindId(a, b),
    );
}

function isOneSpeech(run: readonly Evidence[]): boolean {
  const [first, last] = [run[0], run.at(-1)];
  if (first === undefined || last === undefined) return false;
  return (run.length === 1 || last.end_s - first.start_s <= LONGEST_S) && isClose(run);
}

function isOneSlide(run: readonly Evidence[]): boolean {
  const from_s = Math.max(...run.map((item) => item.start_s));
  return run.length === 1 || from_s < Math.min(...run.map((item) => item.end_s));
}

function isClose(run: readonly Evidence[]): boolean {
  return run.every(
    (item, at) => item.start_s - (run[at - 1]?.end_s ?? item.start_s) <= WIDEST_GAP_S,
  );
}

/** A passage with its two neighbours, if they follow closely. Text on screen is not widened. */
export function widened(passage: Passage, evidence: readonly Evidence[]): Passage {
  if (!passage.items.every(isTold)) return passage;
  const items = inReadingOrder(evidence, isTold);
  const from = items.indexOf(passage.items[0] as Evidence);
  const to = from + passage.items.length;
  const before = items.slice(Math.max(0, from - 1), from);
  const after = items.slice(to, to + 1);
  const close = (run: Evidence[]) => (isClose(run) ? run : []);
  return toPassage([
    ...close([...before, ...passage.items.slice(0, 1)]).slice(0, -1),
    ...passage.items,
    ...close([...passage.items.slice(-1), ...after]).slice(1),
  ]);
}

function toPassage(items: Evidence[]): Passage {
  return {
    items,
    start_s: Math.min(...items.map((item) => item.start_s)),
    end_s: Math.max(...items.map((item) => item.end_s)),
    text: items.map((item) => item.text).join(" "),
  };
}
