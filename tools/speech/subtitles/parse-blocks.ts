import { isPossible, type ParsedCues, type RawCue } from "./cue.ts";

/*
 * SubRip and WebVTT: a line with an arrow between two times, then the words. Files in the wild lack numbers, blank
 * lines and blanks around the arrow, so the arrow line alone decides where a cue begins.
 */

const TIME = String.raw`(-)?(?:(\d{1,4})\s*:\s*)?(\d{1,3})\s*:\s*(\d{1,2})\s*[.,]\s*(\d{1,9})`;
const ARROW_LINE = new RegExp(String.raw`^\s*${TIME}\s*-{1,2}>\s*${TIME}(?:\s|$)`);
/** An arrow after digits and colons alone was meant as a time, even where it cannot be read. */
const MEANT_AS_TIMES = /^\s*-?[\d\s]*\d\s*:[\s\d:.,;x-]*-{1,2}>/i;
const LONGEST_ARROW_LINE = 1_000;

/** Words run to the next arrow line, blank lines included; the number just before that line is not among them. */
export function parseSrt(lines: readonly string[]): ParsedCues {
  const blocks = splitAtArrows(lines);
  const numbered = blocks[0]?.numbered ?? false;
  return collect(
    blocks.map(({ times, words, numberFollows }) => ({
      times,
      words: trimBlank(numberFollows && numbered ? words.slice(0, -1) : words),
    })),
  );
}

/** Words run to the first empty line (a line of blanks is not empty: rolling captions hold their place with it). */
export function parseVtt(lines: readonly string[]): ParsedCues {
  return collect(
    splitAtArrows(lines).map(({ times, words }) => {
      const end = words.indexOf("");
      return { times, words: end < 0 ? words : words.slice(0, end) };
    }),
  );
}

interface Block {
  /** Null where the times could not be read. */
  times: { start_s: number; end_s: number } | null;
  words: string[];
  /** Whether a bare number stands directly above this block's arrow line, or above the next one's. */
  numbered: boolean;
  numberFollows: boolean;
}

function splitAtArrows(lines: readonly string[]): Block[] {
  const blocks: Block[] = [];
  let current: Block | undefined;
  lines.forEach((line, index) => {
    if (isArrowLine(line)) {
      const numbered = /^\s*\d+\s*$/.test(lines[index - 1] ?? "");
      if (current !== undefined) current.numberFollows = numbered;
      current = { times: readTimes(line), words: [], numbered, numberFollows: false };
      blocks.push(current);
    } else current?.words.push(line);
  });
  return blocks;
}

function isArrowLine(line: string): boolean {
  return line.length < LONGEST_ARROW_LINE && line.includes("->") && MEANT_AS_TIMES.test(line);
}

function readTimes(line: string): Block["times"] {
  const match = ARROW_LINE.exec(line);
  if (match === null) return null;
  return { start_s: seconds(match.slice(1, 6)), end_s: seconds(match.slice(6, 11)) };
}

/** The fraction is a decimal one, as WebVTT has it: `1,5` is a second and a half. */
function seconds([sign, hours, minutes, whole, fraction]: (string | undefined)[]): number {
  const value =
    Number(hours ?? 0) * 3600 + Number(minutes) * 60 + Number(whole) + Number(`0.${fraction}`);
  return sign === undefined ? value : -value;
}

function collect(blocks: Pick<Block, "times" | "words">[]): ParsedCues {
  const cues: RawCue[] = [];
  for (const { times, words } of blocks) {
    const cue = times === null ? undefined : { ...times, lines: words };
    if (cue !== undefined && isPossible(cue)) cues.push(cue);
  }
  return { cues, skipped: blocks.length - cues.length };
}

function trimBlank(lines: string[]): string[] {
  let end = lines.length;
  while (end > 0 && lines[end - 1]?.trim() === "") end--;
  return lines.slice(0, end);
}
