import type { RawCue } from "./cue.ts";
import { plainText } from "./plain-text.ts";

export interface Word {
  text: string;
  start_s: number;
  end_s: number;
}

const TIMED_PIECE = /<(\d{1,4}:)?(\d{2}):(\d{2}[.,]\d{1,3})>/g;

/**
 * Returns words with the times in the lines, without the first `known` words. Words between two known times share the
 * interval by their number of letters.
 */
export function timedWords(lines: readonly { raw: string }[], known: number, cue: RawCue): Word[] {
  const pieces: { start_s: number; words: string[] }[] = [];
  for (const line of lines) {
    let from = 0;
    let start_s = pieces.length === 0 ? cue.start_s : Number.NaN;
    for (const mark of line.raw.matchAll(TIMED_PIECE)) {
      pieces.push({ start_s, words: splitWords(line.raw.slice(from, mark.index)) });
      start_s = inlineSeconds(mark);
      from = mark.index + mark[0].length;
    }
    pieces.push({ start_s, words: splitWords(line.raw.slice(from)) });
  }
  let left = known;
  for (const piece of pieces) left -= piece.words.splice(0, left).length;
  return spread(joinUntimed(pieces), cue);
}

/** Splits text into words. A sound in brackets or between notes is one word. */
export function splitWords(raw: string): string[] {
  const text = plainText([raw]);
  return text.match(/\[[^[\]]*\]|\([^()]*\)|♪[^♪]{0,200}♪|\S+/g) ?? [];
}

function inlineSeconds(mark: RegExpExecArray): number {
  const [, hours = "0", minutes = "0", seconds = "0"] = mark;
  return (
    Number.parseInt(hours, 10) * 3600 + Number(minutes) * 60 + Number(seconds.replace(",", "."))
  );
}

/** A piece without its own time shares the time of the previous piece. */
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
