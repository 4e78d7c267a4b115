import { z } from "zod";
import { unusable } from "../../attempt.ts";
import { jsonOrText } from "../../json.ts";
import type { SpokenSegment, SpokenWord, TranscriptionReply } from "../../speech.ts";

/*
 * Replies of `/audio/transcriptions`: `json`, `verbose_json` and `diarized_json` of OpenAI, and the variants of vLLM,
 * speaches, LocalAI (times in nanoseconds), whisper.cpp (words within segments) and WhisperX (speakers).
 */

/**
 * Whisper's own rule for text that it reports for silence: `no_speech_threshold` and `logprob_threshold` of its
 * released code.
 */
const SILENCE = { noSpeech: 0.6, logProbability: -1 };

const Word = z.object({
  word: z.string().optional(),
  text: z.string().optional(),
  start: z.number(),
  end: z.number(),
  probability: z.number().nullish(),
});
type Word = z.infer<typeof Word>;

const Segment = z.object({
  start: z.number(),
  end: z.number(),
  text: z.string(),
  no_speech_prob: z.number().nullish(),
  avg_logprob: z.number().nullish(),
  speaker: z.union([z.string(), z.number()]).nullish(),
  // A word that could not be aligned has no times.
  words: z.array(z.unknown()).nullish().catch(null),
});
type Segment = z.infer<typeof Segment>;

const Transcription = z.object({
  text: z.string().optional(),
  segments: z.array(Segment).nullish(),
  words: z.array(z.unknown()).nullish().catch(null),
});

/** Most seconds of a segment that is made of words, and of a pause within it. */
const LONGEST_SEGMENT_S = 10;
const LONGEST_PAUSE_S = 0.8;

/** Reads a reply for a sound of this length. Throws `AttemptError` `unusable`. */
export function readTranscription(body: string, seconds: number): TranscriptionReply {
  const read = Transcription.safeParse(jsonOrText(body));
  if (!read.success) throw unusable("not a transcription");
  const { text, segments, words: loose } = read.data;
  const words = wordsOf(loose);
  const hasTimes = (segments ?? []).length > 0 || words.length > 0;
  // Mistral lists no segments unless their times were requested; other servers list none for silence.
  if (!hasTimes && (segments == null || onOneLine(text ?? "") !== "")) {
    if (text === undefined) throw unusable("not a transcription");
    const whole = { start: 0, end: seconds, text };
    return { segments: spoken([whole], seconds), isTimed: false, silent: 0 };
  }
  const timed = inSeconds(segments?.length ? segments : segmentsOf(words), seconds);
  const heard = timed.filter((segment) => !isSilence(segment));
  return {
    segments: spoken(withWords(heard, words), seconds),
    isTimed: true,
    silent: timed.length - heard.length,
  };
}

function wordsOf(given: readonly unknown[] | null | undefined): Word[] {
  return (given ?? []).flatMap((word) => Word.safeParse(word).data ?? []);
}

/** LocalAI's times are nanoseconds, which are larger than any length of sound by far. */
function inSeconds(segments: readonly Segment[], seconds: number): Segment[] {
  const last = Math.max(0, ...segments.map(({ end }) => end));
  if (last < 1e6 * Math.max(1, seconds)) return [...segments];
  return segments.map((one) => ({ ...one, start: one.start / 1e9, end: one.end / 1e9 }));
}

/** Gives words that are listed apart to the segments in which their middles lie. */
function withWords(segments: readonly Segment[], words: readonly Word[]): Segment[] {
  if (words.length === 0) return [...segments];
  return segments.map((segment) => {
    const own = words.filter((word) => {
      const middle = (word.start + word.end) / 2;
      return segment.start <= middle && middle < segment.end;
    });
    return segment.words == null && own.length > 0 ? { ...segment, words: own } : segment;
  });
}

/** Segments of a reply that has only words. */
function segmentsOf(words: readonly Word[]): Segment[] {
  const runs: Word[][] = [];
  for (const word of words) {
    const run = runs.at(-1);
    const [first, last] = [run?.[0], run?.at(-1)];
    const fits =
      first !== undefined &&
      last !== undefined &&
      word.start - last.end <= LONGEST_PAUSE_S &&
      word.end - first.start <= LONGEST_SEGMENT_S;
    if (run !== undefined && fits) run.push(word);
    else runs.push([word]);
  }
  return runs.map((run) => ({
    start: run[0]?.start ?? 0,
    end: run.at(-1)?.end ?? 0,
    text: run.map(textOf).join(" "),
    words: run,
  }));
}

function textOf({ word, text }: Word): string {
  return onOneLine(word ?? text ?? "");
}

function isSilence({ no_speech_prob, avg_logprob }: Segment): boolean {
  return (no_speech_prob ?? 0) > SILENCE.noSpeech && (avg_logprob ?? 0) < SILENCE.logProbability;
}

function spoken(segments: readonly Segment[], seconds: number): SpokenSegment[] {
  const within = (t_s: number) => Math.min(Math.max(0, t_s), seconds);
  return segments
    .map((segment) => {
      const words = wordsOf(segment.words).map(
        (word): SpokenWord => ({
          start_s: within(word.start),
          end_s: within(Math.max(word.start, word.end)),
          text: textOf(word),
        }),
      );
      return {
        start_s: within(segment.start),
        end_s: within(Math.max(segment.start, segment.end)),
        text: onOneLine(segment.text),
        confidence: confidenceOf(segment),
        speaker: segment.speaker == null ? null : onOneLine(String(segment.speaker)) || null,
        ...(words.length === 0 ? {} : { words }),
      };
    })
    .filter(({ text }) => text !== "");
}

/** The mean probability of a token, or of a word; without these, that there is speech at all. */
function confidenceOf({ avg_logprob, no_speech_prob, words }: Segment): number | null {
  const probabilities = wordsOf(words).flatMap(({ probability }) => probability ?? []);
  const value =
    avg_logprob != null
      ? Math.exp(avg_logprob)
      : probabilities.length > 0
        ? probabilities.reduce((sum, one) => sum + one, 0) / probabilities.length
        : no_speech_prob != null
          ? 1 - no_speech_prob
          : null;
  return value === null ? null : Math.round(Math.min(1, Math.max(0, value)) * 1000) / 1000;
}

function onOneLine(text: string): string {
  return text.replace(/\s+/g, " ").trim();
}
