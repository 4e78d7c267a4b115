import type { SpokenSegment } from "../../src/models/speech.ts";
import { loudLevel, silenceLevel } from "./audible-ranges.ts";
import { LEVEL_S } from "./sound-levels.ts";

/** A segment whose loudest moments are this many dB below the loud passages of the track is near silence. */
const NEAR_SILENCE_DB = 22;

/** Share of the levels of a segment that may be louder. */
const LOUDER_SHARE = 0.1;

/** A phrase that follows itself so often within one segment is a loop. */
const LOOPS = 3;

/**
 * Leaves out what recognisers invent where almost nothing is to be heard: a phrase on near-silence that occurs again on
 * near-silence, or that is repeated within its segment. The same phrase on audible sound is kept, as is a single phrase
 * on near-silence, which may be a whisper.
 */
export function dropInvented(
  segments: readonly SpokenSegment[],
  levels: Int8Array,
): { segments: SpokenSegment[]; invented: number } {
  const quiet = Math.max(silenceLevel(levels), loudLevel(levels) - NEAR_SILENCE_DB);
  const faint = segments.filter((segment) => isFaint(segment, levels, quiet));
  const times = new Map<string, number>();
  for (const { text } of faint) times.set(phraseOf(text), (times.get(phraseOf(text)) ?? 0) + 1);
  const invented = new Set(
    faint.filter(({ text }) => (times.get(phraseOf(text)) ?? 0) > 1 || isLoop(text)),
  );
  return {
    segments: segments.filter((segment) => !invented.has(segment)),
    invented: invented.size,
  };
}

function isFaint({ start_s, end_s }: SpokenSegment, levels: Int8Array, quiet: number): boolean {
  const own = levels.subarray(Math.floor(start_s / LEVEL_S), Math.ceil(end_s / LEVEL_S));
  return own.filter((level) => level > quiet).length <= LOUDER_SHARE * own.length;
}

function phraseOf(text: string): string {
  return text
    .toLowerCase()
    .replace(/[^\p{L}\p{N}]+/gu, " ")
    .trim();
}

/** Whether a text consists of one phrase, again and again. */
function isLoop(text: string): boolean {
  const words = phraseOf(text).split(" ");
  for (let length = 1; length * LOOPS <= words.length; length++)
    if (words.every((word, at) => word === words[at % length])) return true;
  return false;
}
