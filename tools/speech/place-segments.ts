import type { SpokenSegment, SpokenWord } from "../../src/models/speech.ts";
import { MARGIN_S, milliseconds } from "./audible-ranges.ts";
import type { SoundPart } from "./cut-parts.ts";

/** A segment is split where the silence that was left out between two of its words is longer. */
const LONGEST_PAUSE_S = 2;

/**
 * Segments with times of a video, from segments with times of a part: the silence between the ranges of the part was
 * left out. A segment with times of words is split at a long silence.
 */
export function placeSegments(
  segments: readonly SpokenSegment[],
  part: SoundPart,
): SpokenSegment[] {
  return segments.flatMap((segment) => {
    const words = segment.words?.map((word) => ({ ...word, ...placed(word, part) }));
    const whole = { ...segment, ...placed(segment, part) };
    if (words === undefined) return whole;
    const runs = splitAtPauses(words);
    if (runs.length < 2) return { ...whole, words };
    return runs.map((run) => ({
      ...whole,
      start_s: run[0]?.start_s ?? whole.start_s,
      end_s: run.at(-1)?.end_s ?? whole.end_s,
      text: run.map(({ text }) => text).join(" "),
      words: run,
    }));
  });
}

function splitAtPauses(words: readonly SpokenWord[]): SpokenWord[][] {
  const runs: SpokenWord[][] = [];
  for (const word of words) {
    const run = runs.at(-1);
    const before = run?.at(-1);
    if (run === undefined || before === undefined || word.start_s - before.end_s > LONGEST_PAUSE_S)
      runs.push([word]);
    else run.push(word);
  }
  return runs;
}

type Span = { start_s: number; end_s: number };

function placed({ start_s, end_s }: Span, part: SoundPart): Span {
  const from_s = startIn(start_s, part);
  return { start_s: from_s, end_s: Math.max(from_s, endIn(end_s, part)) };
}

/** A start in the margin after a sound belongs to the next sound. */
function startIn(t_s: number, part: SoundPart): number {
  let offset_s = 0;
  for (const [index, { from_s, to_s }] of part.entries()) {
    const length_s = to_s - from_s;
    const margin_s = index === part.length - 1 ? 0 : MARGIN_S;
    if (t_s < offset_s + length_s - margin_s)
      return milliseconds(from_s + Math.max(0, t_s - offset_s));
    offset_s += length_s;
  }
  return part.at(-1)?.to_s ?? t_s;
}

/** An end in the margin before a sound belongs to the sound before. */
function endIn(t_s: number, part: SoundPart): number {
  let offset_s = 0;
  let end_s = part[0]?.from_s ?? t_s;
  for (const [index, { from_s, to_s }] of part.entries()) {
    const margin_s = index === 0 ? 0 : MARGIN_S;
    if (t_s < offset_s + margin_s) break;
    end_s = milliseconds(Math.min(to_s, from_s + t_s - offset_s));
    offset_s += to_s - from_s;
  }
  return end_s;
}
