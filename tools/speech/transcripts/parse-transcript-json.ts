import { z } from "zod";
import { cutText } from "../../../src/core/cut-text.ts";
import { jsonOrUndefined } from "../../../src/core/json-or-undefined.ts";
import type { SpokenSegment, SpokenWord } from "../../../src/models/speech.ts";
import { isPossible } from "../subtitles/cue.ts";
import { joinIfWords, secondsOf } from "../subtitles/parse-json.ts";
import { plainText } from "../subtitles/plain-text.ts";

/** `skipped` counts segments without usable times or text. */
export interface ParsedTranscript {
  /** In order of time. Seconds count from the start of the sound. */
  segments: SpokenSegment[];
  skipped: number;
}

const optionalNumber = z.number().optional().catch(undefined);

/** A word or token with its probability, which each program names in another way. */
const Word = z.looseObject({
  text: z.string().optional().catch(undefined),
  word: z.string().optional().catch(undefined),
  start: z.unknown().optional(),
  end: z.unknown().optional(),
  probability: optionalNumber,
  score: optionalNumber,
  p: optionalNumber,
  conf: optionalNumber,
});

const Words = z.array(Word).optional().catch(undefined);

/** Times are members of one of four shapes; whisper.cpp gives milliseconds as `offsets`. */
const Segment = z.looseObject({
  start: z.unknown().optional(),
  end: z.unknown().optional(),
  start_time: z.unknown().optional(),
  end_time: z.unknown().optional(),
  timestamp: z.array(z.unknown()).optional().catch(undefined),
  offsets: z.looseObject({ from: z.number(), to: z.number() }).optional().catch(undefined),
  text: z.string().optional(),
  line: z.string().optional(),
  word: z.string().optional(),
  speaker: z.union([z.string(), z.number()]).nullish().catch(null),
  confidence: optionalNumber,
  conf: optionalNumber,
  score: optionalNumber,
  probability: optionalNumber,
  avg_logprob: optionalNumber,
  words: Words,
  tokens: Words,
});

/** Members that hold the segments: Whisper and WhisperX, whisper.cpp, Transformers, Vosk. */
const LISTS = ["segments", "transcription", "chunks", "result"] as const;
const MOST_SPEAKER = 80;

/**
 * Reads a transcript in JSON: a list of segments, an object that holds one, or one segment per line. Null for another
 * JSON. Never throws.
 */
export function parseTranscriptJson(text: string): ParsedTranscript | null {
  const items = itemsOf(text);
  if (items === null) return null;
  const read = items.map(readSegment).filter((cue) => cue !== null);
  if (read.length === 0 && items.length > 0) return null;
  const inOrder = read.toSorted((a, b) => a.start_s - b.start_s || a.end_s - b.end_s);
  return { segments: joinWordSegments(inOrder), skipped: items.length - read.length };
}

function itemsOf(text: string): unknown[] | null {
  const whole = jsonOrUndefined(text);
  if (whole !== undefined) return listIn(whole) ?? (readSegment(whole) === null ? null : [whole]);
  const lines = text.split(/\r\n|\n|\r/).filter((line) => line.trim() !== "");
  const values = lines.map(jsonOrUndefined);
  return values.some((value) => value !== undefined)
    ? values.flatMap((value) => listIn(value) ?? [value])
    : null;
}

function listIn(value: unknown): unknown[] | null {
  if (Array.isArray(value)) return value;
  if (typeof value !== "object" || value === null) return null;
  const lists = LISTS.map((name) => (value as Record<string, unknown>)[name]);
  return lists.find((list) => Array.isArray(list)) ?? null;
}

function readSegment(item: unknown): SpokenSegment | null {
  const { data } = Segment.safeParse(item);
  if (data === undefined) return null;
  const [first, last] = data.timestamp ?? [];
  const start_s = data.offsets
    ? data.offsets.from / 1000
    : secondsOf(data.start ?? data.start_time ?? first);
  const end_s = data.offsets
    ? data.offsets.to / 1000
    : secondsOf(data.end ?? data.end_time ?? last);
  const words = plainText([data.text ?? data.line ?? data.word ?? ""]);
  if (start_s === null || end_s === null || words === "") return null;
  if (!isPossible({ start_s, end_s, lines: [words] })) return null;
  const speaker = cutText(plainText([String(data.speaker ?? "")]), MOST_SPEAKER);
  return {
    start_s,
    end_s,
    text: words,
    confidence: confidenceOf(data),
    speaker: speaker === "" ? null : speaker,
    ...withWords((data.words ?? []).flatMap(timedWord)),
  };
}

function withWords(words: SpokenWord[]): Pick<SpokenSegment, "words"> {
  return words.length === 0 ? {} : { words };
}

function timedWord({ word, text, start, end }: z.infer<typeof Word>): SpokenWord[] {
  const [start_s, end_s] = [secondsOf(start), secondsOf(end)];
  const said = plainText([word ?? text ?? ""]);
  // WhisperX gives no times for words without a phonetic reading, such as numbers.
  if (start_s === null || end_s === null || !(0 <= start_s && start_s <= end_s)) return [];
  return said === "" ? [] : [{ start_s, end_s, text: said }];
}

/** The segment's own, else the mean over its words, else the mean probability of its tokens. */
function confidenceOf(segment: z.infer<typeof Segment>): number | null {
  const { avg_logprob, words, tokens } = segment;
  const own = segment.confidence ?? segment.conf ?? segment.score ?? segment.probability;
  const each = (words ?? tokens ?? []).flatMap(({ text, probability, score, p, conf }) => {
    // whisper.cpp lists its control tokens, such as `[_BEG_]`, among the others.
    const given = text?.startsWith("[_") ? undefined : (probability ?? score ?? p ?? conf);
    return given === undefined ? [] : [given];
  });
  const mean = each.length === 0 ? undefined : each.reduce((sum, one) => sum + one) / each.length;
  const found = own ?? mean ?? (avg_logprob === undefined ? undefined : Math.exp(avg_logprob));
  return found === undefined || !(found >= 0 && found <= 1) ? null : found;
}

/** A list of single words becomes cues that end at pauses, with the mean confidence of their words. */
function joinWordSegments(cues: SpokenSegment[]): SpokenSegment[] {
  const joined = joinIfWords(cues.map((cue) => ({ ...cue, lines: [cue.text] })));
  if (joined === null) return cues;
  return joined.map(({ start_s, end_s, lines }) => {
    const words = cues.filter((word) => start_s <= word.start_s && word.end_s <= end_s);
    const known = words.flatMap(({ confidence }) => (confidence === null ? [] : [confidence]));
    const mean = known.reduce((sum, one) => sum + one, 0) / known.length;
    return {
      start_s,
      end_s,
      text: lines.join(" "),
      confidence: known.length === 0 ? null : mean,
      speaker: words[0]?.speaker ?? null,
      words: words.map((word) => ({
        start_s: word.start_s,
        end_s: word.end_s,
        text: word.text,
      })),
    };
  });
}
