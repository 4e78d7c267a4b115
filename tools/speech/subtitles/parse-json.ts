import { jsonOrUndefined } from "../../../src/core/json-or-undefined.ts";
import { isPossible, type ParsedCues, type RawCue } from "./cue.ts";

/*
 * Subtitles as JSON: a list of cues, an object with such a list as `segments` (Whisper), or one cue per line. Members of
 * a cue are `start` and `end`, `start_time` and `end_time`, or `timestamp: [start, end]`, in seconds or as `00:01:02.5`,
 * and `text` or `line`.
 */

/** Duration of the last cue if it has no end, in seconds. */
const LAST_CUE_S = 5;
/** Words further apart than this, in seconds, belong to different cues; after the end of a sentence a shorter pause is enough. */
const PAUSE_S = 0.5;
const SENTENCE_PAUSE_S = 0.1;
/** Share of cues of a single word, above which a file counts as a list of words. */
const WORDS_SHARE = 0.9;
const LONGEST_CUE_S = 10;

/** Whether a text begins as JSON does, which no other subtitle format does. */
export function looksLikeJson(text: string): boolean {
  return /^\s*(?:\[\s*[{\]]|\{\s*")/.test(text);
}

/** Parses subtitles in JSON. A list of words becomes cues that end at pauses. Never throws. */
export function parseJsonCues(text: string): ParsedCues {
  const { items, damaged } = itemsOf(text);
  const read = items.map(readCue);
  const cues = read
    .map((cue, index) =>
      cue === null ? null : { ...cue, end_s: cue.end_s ?? nextStart(read, index) },
    )
    .filter((cue): cue is RawCue => cue !== null && isPossible(cue));
  const skipped = damaged + items.length - cues.length;
  return { cues: joinIfWords(cues) ?? cues, skipped };
}

/** Cues of single words joined to cues that end at pauses; null if they are not a list of words. */
export function joinIfWords(cues: readonly RawCue[]): RawCue[] | null {
  return areWords(cues) ? joinWords(cues) : null;
}

type OpenCue = Omit<RawCue, "end_s"> & { end_s: number | null };

function itemsOf(text: string): { items: unknown[]; damaged: number } {
  const whole = jsonOrUndefined(text);
  if (Array.isArray(whole)) return { items: whole, damaged: 0 };
  const segments = (whole as { segments?: unknown } | undefined)?.segments;
  if (Array.isArray(segments)) return { items: segments, damaged: 0 };
  const lines = text.split(/\r\n|\n|\r/).filter((line) => line.trim() !== "");
  const items = lines.map(jsonOrUndefined).filter((item) => item !== undefined);
  return { items, damaged: lines.length - items.length };
}

function readCue(item: unknown): OpenCue | null {
  if (typeof item !== "object" || item === null) return null;
  const { start, start_time, end, end_time, timestamp, text, line } = item as Record<
    string,
    unknown
  >;
  const [first, last] = Array.isArray(timestamp) ? timestamp : [];
  const start_s = secondsOf(start ?? start_time ?? first);
  const words = text ?? line;
  if (start_s === null || typeof words !== "string") return null;
  return { start_s, end_s: secondsOf(end ?? end_time ?? last), lines: words.split(/\r\n|\n|\r/) };
}

/** Seconds from a number, or from `12.5`, `1:02.5` or `00:01:02,500`; else null. */
export function secondsOf(value: unknown): number | null {
  if (typeof value === "number") return Number.isFinite(value) ? value : null;
  if (typeof value !== "string") return null;
  const match = /^\s*(?:(?:(\d{1,4}):)?(\d{1,3}):)?(\d{1,6}(?:[.,]\d{1,9})?)\s*$/.exec(value);
  if (match === null) return null;
  const [, hours = 0, minutes = 0, seconds = "0"] = match;
  return Number(hours) * 3600 + Number(minutes) * 60 + Number(seconds.replace(",", "."));
}

function nextStart(cues: readonly (OpenCue | null)[], index: number): number {
  const { start_s } = cues[index] as OpenCue;
  const next = cues.slice(index + 1, index + 2)[0];
  return next != null && next.start_s > start_s ? next.start_s : start_s + LAST_CUE_S;
}

function areWords(cues: readonly RawCue[]): boolean {
  const single = cues.filter(({ lines }) => !/\S\s+\S/.test(lines.join(" ")));
  return cues.length >= 4 && single.length >= cues.length * WORDS_SHARE;
}

function joinWords(words: readonly RawCue[]): RawCue[] {
  const cues: RawCue[] = [];
  for (const { start_s, end_s, lines } of [...words].sort((a, b) => a.start_s - b.start_s)) {
    const text = lines.join(" ").trim();
    const last = cues.at(-1);
    const said = last?.lines[0] ?? "";
    const pause_s = start_s - (last?.end_s ?? Number.NEGATIVE_INFINITY);
    const goesOn =
      last !== undefined &&
      pause_s <= (/[.!?]["')\]]*$/.test(said) ? SENTENCE_PAUSE_S : PAUSE_S) &&
      end_s - last.start_s <= LONGEST_CUE_S;
    if (goesOn) {
      last.end_s = Math.max(last.end_s, end_s);
      last.lines = [`${said} ${text}`.trim()];
    } else cues.push({ start_s, end_s, lines: [text] });
  }
  return cues;
}
