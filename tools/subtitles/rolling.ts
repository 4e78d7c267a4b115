import type { Cue, RawCue } from "./cue.ts";
import { plainText } from "./plain-text.ts";

/*
 * Automatic captions roll: each cue repeats the line before it and adds one, often with the time of each word inside
 * (`i<00:00:25.279><c> welcome</c>`), and cues of ten milliseconds stand between. Read as they are, every word comes
 * two or three times.
 */

/** A cue this short only moves the lines up. */
const FILLER_S = 0.05;
/** Cues further apart than this do not continue each other. */
const TOUCHING_S = 0.1;
/** Share of touching pairs that repeat a line, above which a file is held to roll; ordinary files stay near 0. */
const ROLLING_SHARE = 0.4;
const FEWEST_PAIRS = 4;
const LONGEST_CUE_S = 10;
/** Nobody speaks one word for longer: what remains of its caption's time is silence. */
const LONGEST_WORD_S = 1;
const PAUSE_S = 0.8;

interface Word {
  text: string;
  start_s: number;
  end_s: number;
}

/** Whether cues repeat each other's lines as rolling captions do. Expects them sorted by start. */
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
        if (overlap(before, lines) > 0) repeating++;
      }
    }
    before = lines;
  });
  return touching >= FEWEST_PAIRS && repeating / touching >= ROLLING_SHARE;
}

/**
 * Rolling captions as sentences: every word once, at its own time where the file tells it, else at its share of its
 * line's time. A cue ends with a sentence, before a pause, before a change of speaker, or at about 10 s, where it is
 * cut at its longest pause. A sound in brackets is a cue of its own, as long as the file shows it.
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
  /** Its words as they are compared: a line may be given its full stop only when it is shown again. */
  key: string;
}

function readLines(cue: RawCue): Line[] {
  return cue.lines
    .map((raw) => ({ raw, text: plainText([raw]) }))
    .filter(({ text }) => text !== "")
    .map(({ raw, text }) => ({ raw, key: text.toLowerCase().replace(/[.,;:?!]/g, "") || text }));
}

/** The words each cue adds to what the one before it showed, in order, none starting before its forerunner. */
function addedWords(cues: readonly RawCue[]): Word[] {
  const words: Word[] = [];
  let shown: Line[] = [];
  let shownUntil = Number.NEGATIVE_INFINITY;
  for (const cue of cues) {
    const lines = readLines(cue);
    const continues = cue.start_s - shownUntil < TOUCHING_S;
    const isFiller = cue.end_s - cue.start_s <= FILLER_S;
    const repeated = continues ? repeatedLines(shown, lines, isFiller) : 0;
    words.push(...timedWords(lines.slice(repeated), cue));
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

/** How many of `lines` stood there already: a cue that is no filler came to say something, if only the same word again. */
function repeatedLines(shown: readonly Line[], lines: readonly Line[], isFiller: boolean): number {
  const repeated = overlap(shown, lines);
  if (repeated < lines.length || isFiller || lines.length < shown.length) return repeated;
  const saysItAgain = lines.length > 1 && lines.every((line) => line.key === lines[0]?.key);
  return saysItAgain ? repeated - 1 : repeated;
}

/** The most lines that both end the one and begin the other. */
function overlap(before: readonly Line[], after: readonly Line[]): number {
  for (let count = Math.min(before.length, after.length); count > 0; count--) {
    const offset = before.length - count;
    if (after.slice(0, count).every((line, at) => line.key === before[offset + at]?.key))
      return count;
  }
  return 0;
}

const TIMED_PIECE = /<(\d{1,4}:)?(\d{2}):(\d{2}[.,]\d{1,3})>/g;

/** Words with the times that stand in the lines; between two known times words share it by their letters. */
function timedWords(lines: readonly Line[], cue: RawCue): Word[] {
  const pieces: { start_s: number; words: string[] }[] = [];
  for (const line of lines) {
    let from = 0;
    let start_s = pieces.length === 0 ? cue.start_s : Number.NaN;
    for (const mark of line.raw.matchAll(TIMED_PIECE)) {
      pieces.push({ start_s, words: split(line.raw.slice(from, mark.index)) });
      start_s = inlineSeconds(mark);
      from = mark.index + mark[0].length;
    }
    pieces.push({ start_s, words: split(line.raw.slice(from)) });
  }
  return spread(joinUntimed(pieces), cue);
}

function split(raw: string): string[] {
  const text = plainText([raw]);
  return text.match(/\[[^[\]]*\]|\([^()]*\)|♪[^♪]{0,200}♪|\S+/g) ?? [];
}

function inlineSeconds(mark: RegExpExecArray): number {
  const [, hours = "0", minutes = "0", seconds = "0"] = mark;
  return (
    Number.parseInt(hours, 10) * 3600 + Number(minutes) * 60 + Number(seconds.replace(",", "."))
  );
}

/** A piece without a time of its own shares that of the piece before it. */
function joinUntimed(
  pieces: readonly { start_s: number; words: string[] }[],
): { start_s: number; words: string[] }[] {
  const joined: { start_s: number; words: string[] }[] = [];
  for (const piece of pieces) {
    const last = joined.at(-1);
    if (last !== undefined && Number.isNaN(piece.start_s)) last.words.push(...piece.words);
    else joined.push({ ...piece, words: [...piece.words] });
  }
  return joined;
}

function spread(pieces: readonly { start_s: number; words: string[] }[], cue: RawCue): Word[] {
  return pieces.flatMap(({ start_s, words }, index) => {
    const from = clamp(start_s, cue);
    const until = Math.max(from, clamp(pieces[index + 1]?.start_s ?? cue.end_s, cue));
    const letters = words.reduce((sum, word) => sum + word.length, 0);
    let passed = 0;
    return words.map((text) => {
      const word_s = from + ((until - from) * passed) / letters;
      passed += text.length;
      return { text, start_s: word_s, end_s: from + ((until - from) * passed) / letters };
    });
  });
}

function clamp(seconds: number, cue: RawCue): number {
  return Math.min(Math.max(seconds, cue.start_s), cue.end_s);
}

function isSound(text: string): boolean {
  return /^(?:\[.*\]|\(.*\)|♪.*♪)$/.test(text);
}

/** Cut at the longest pause of the last half of the first ten seconds, again and again. */
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
