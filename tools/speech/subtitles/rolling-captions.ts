import type { Cue, RawCue } from "./cue.ts";
import { plainText } from "./plain-text.ts";
import { splitWords, timedWords, type Word } from "./word-times.ts";

/*
 * Automatic captions roll: each cue repeats the previous line and adds one, often with the time of each word
 * (`i<00:00:25.279><c> welcome</c>`), and there are cues of ten milliseconds in between. Read as they are, every word
 * occurs two or three times. Other captions grow: each cue is the previous one with one more word.
 */

/** A cue this short, in seconds, only scrolls the lines. */
const FILLER_S = 0.05;
/** Cues further apart than this, in seconds, do not continue each other. */
const TOUCHING_S = 0.1;
/** Share of adjacent pairs that repeat a line, above which a file counts as rolling. Ordinary files are near 0. */
const ROLLING_SHARE = 0.4;
const FEWEST_PAIRS = 4;
const LONGEST_CUE_S = 10;
/** Longest duration of one spoken word, in seconds. The rest of its caption is silence. */
const LONGEST_WORD_S = 1;
const PAUSE_S = 0.8;

/** Whether cues repeat each other's lines as rolling captions do. Expects cues sorted by start. */
export function isRolling(cues: readonly RawCue[]): boolean {
  let touching = 0;
  let repeating = 0;
  let before: Line[] = [];
  cues.forEach((cue, index) => {
    const lines = readLines(cue);
    const previous = cues[index - 1];
    if (previous !== undefined && before.length > 0 && lines.length > 0) {
      if (cue.start_s - previous.end_s < TOUCHING_S) {
        touching++;
        if (repeats(overlap(before, lines))) repeating++;
      }
    }
    before = lines;
  });
  return touching >= FEWEST_PAIRS && repeating / touching >= ROLLING_SHARE;
}

/**
 * Folds rolling captions into sentences: every word once, at its own time if the file has it, else at its share of the
 * line's time. A cue ends with a sentence, before a pause, before a change of speaker, or at about 10 s, where it is
 * split at its longest pause. A sound in brackets is a separate cue, as long as the file shows it.
 */
export function foldRolling(cues: readonly RawCue[]): Cue[] {
  const folded: Cue[] = [];
  let sentence: Word[] = [];
  const close = () => {
    for (const part of splitLong(sentence)) folded.push(toCue(part));
    sentence = [];
  };
  for (const word of addedWords(cues)) {
    const last = sentence.at(-1);
    if (isSound(word.text)) {
      close();
      folded.push(toCue([word]));
      continue;
    }
    const spoken = { ...word, end_s: Math.min(word.end_s, word.start_s + LONGEST_WORD_S) };
    if (
      last !== undefined &&
      (spoken.start_s - last.end_s >= PAUSE_S || word.text.startsWith(">>"))
    )
      close();
    sentence.push(spoken);
    if (/[.?!…。？！]["'”’)\]]*$/.test(word.text)) close();
  }
  close();
  return folded;
}

interface Line {
  raw: string;
  /** The words as compared: a line may receive its full stop only when it is repeated. */
  key: string;
}

function readLines(cue: RawCue): Line[] {
  return cue.lines
    .map((raw) => ({ raw, text: plainText([raw]) }))
    .filter(({ text }) => text !== "")
    .map(({ raw, text }) => ({ raw, key: text.toLowerCase().replace(/[.,;:?!]/g, "") || text }));
}

/** The words that each cue adds to the previous one, in order. No word starts before its predecessor. */
function addedWords(cues: readonly RawCue[]): Word[] {
  const words: Word[] = [];
  let shown: Line[] = [];
  let shownUntil = Number.NEGATIVE_INFINITY;
  for (const cue of cues) {
    const lines = readLines(cue);
    const continues = cue.start_s - shownUntil < TOUCHING_S;
    const isFiller = cue.end_s - cue.start_s <= FILLER_S;
    const known = continues ? knownPart(shown, lines, isFiller) : NOTHING;
    words.push(...timedWords(lines.slice(known.lines), known.words, cue));
    shown = lines;
    shownUntil = cue.end_s;
  }
  let latest = 0;
  for (const word of words) {
    word.start_s = Math.max(word.start_s, latest);
    word.end_s = Math.max(word.end_s, word.start_s);
    latest = word.start_s;
  }
  return words;
}

/** The text that is already known: whole lines, then words of the next line. */
interface Known {
  lines: number;
  words: number;
}

const NOTHING: Known = { lines: 0, words: 0 };

function repeats({ lines, words }: Known): boolean {
  return lines > 0 || words > 0;
}

/** A cue that is not a filler adds speech, even if it only repeats the same word. */
function knownPart(shown: readonly Line[], lines: readonly Line[], isFiller: boolean): Known {
  const known = overlap(shown, lines);
  if (known.lines < lines.length || isFiller || lines.length < shown.length) return known;
  const saysItAgain = lines.length > 1 && lines.every((line) => line.key === lines[0]?.key);
  return saysItAgain ? { lines: known.lines - 1, words: 0 } : known;
}

/** The most lines that end the one and begin the other; else the same with the last line extended. */
function overlap(before: readonly Line[], after: readonly Line[]): Known {
  const most = Math.min(before.length, after.length);
  const sameFrom = (count: number, compared: number) =>
    after
      .slice(0, compared)
      .every((line, at) => line.key === before[before.length - count + at]?.key);
  for (let count = most; count > 0; count--)
    if (sameFrom(count, count)) return { lines: count, words: 0 };
  const last = before.at(-1);
  for (let count = most; count > 0 && last !== undefined; count--)
    if (after[count - 1]?.key.startsWith(`${last.key} `) && sameFrom(count, count - 1))
      return { lines: count - 1, words: splitWords(last.raw).length };
  return NOTHING;
}

function isSound(text: string): boolean {
  return /^(?:\[.*\]|\(.*\)|♪.*♪)$/.test(text);
}

/** Splits at the longest pause in the second half of the first ten seconds, repeatedly. */
function splitLong(words: readonly Word[]): Word[][] {
  const parts: Word[][] = [];
  let rest = [...words];
  while (rest.length > 1 && lengthOf(rest) > LONGEST_CUE_S) {
    const began = rest[0]?.start_s ?? 0;
    let cut = 1;
    let longest = Number.NEGATIVE_INFINITY;
    for (let at = 1; at < rest.length; at++) {
      const before = rest[at - 1] as Word;
      const pause = (rest[at] as Word).start_s - before.start_s;
      if (before.end_s - began > LONGEST_CUE_S) break;
      if (before.end_s - began < LONGEST_CUE_S / 2) cut = at;
      else if (pause > longest) {
        longest = pause;
        cut = at;
      }
    }
    parts.push(rest.slice(0, cut));
    rest = rest.slice(cut);
  }
  return rest.length === 0 ? parts : [...parts, rest];
}

function lengthOf(words: readonly Word[]): number {
  return (words.at(-1)?.end_s ?? 0) - (words[0]?.start_s ?? 0);
}

function toCue(words: readonly Word[]): Cue {
  return {
    start_s: words[0]?.start_s ?? 0,
    end_s: words.at(-1)?.end_s ?? 0,
    text: words.map((word) => word.text).join(" "),
  };
}
