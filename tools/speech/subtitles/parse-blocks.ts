import { westernDigits } from "../../../src/core/western-digits.ts";
import { isPossible, type ParsedCues, type RawCue } from "./cue.ts";

/*
 * SubRip and WebVTT: a line with an arrow between two times, then text. Real files lack numbers, blank lines and spaces
 * around the arrow, so only the arrow line decides where a cue begins.
 */

const TIME = String.raw`(-)?(?:(\d{1,4})\s*:\s*)?(\d{1,3})\s*:\s*(\d{1,2})\s*[.,]\s*(\d{1,9})`;
const ARROW_LINE = new RegExp(
  String.raw`^\s*${TIME}\s*(?:[-=]{1,3}>|[–—]>|[→⟶])\s*${TIME}(?:\s|$)`,
);
/** The times of YouTube's sbv: `0:00:01.000,0:00:02.500`. */
const COMMA_LINE = /^\s*(\d{1,2}:\d\d:\d\d\.\d{3}),(\d{1,2}:\d\d:\d\d\.\d{3})\s*$/;
/**
 * An arrow after digits and colons only was meant as a time, even if the time is invalid. A short arrow after two numbers
 * is of a caption: `10:30 -> 11:00 keynote`, `4:3 -> 16:9`.
 */
const MEANT_AS_TIMES =
  /^\s*-?[\d\s]*\d\s*:(?:[\s\d:.,;x-]*--|[\s\dx]*[:.,]\s*[\dx][\s\d:.,;x-]*-)>/i;
const LONGEST_ARROW_LINE = 1_000;

/** The text continues to the next arrow line, including blank lines, without the number just before that line. */
export function parseSrt(lines: readonly string[]): ParsedCues {
  const blocks = splitAtArrows(lines);
  const first = blocks[0]?.number ?? null;
  return collect(
    blocks.map(({ times, words }, index) => {
      const next = blocks[index + 1]?.number ?? null;
      // Where blank lines are between numbers and times, they are so at the first cue, too.
      const isNumber = first !== null && (next === "above" || (next === "apart" && next === first));
      const said = trimBlank(words);
      return { times, words: isNumber ? trimBlank(said.slice(0, -1)) : said };
    }),
  );
}

/**
 * The text continues to the first empty line. A line of spaces is not empty: rolling captions use it as a placeholder.
 */
export function parseVtt(lines: readonly string[]): ParsedCues {
  return collect(
    splitAtArrows(lines).map(({ times, words }) => {
      const end = words.indexOf("");
      return { times, words: end < 0 ? words : words.slice(0, end) };
    }),
  );
}

interface Block {
  /** Null if the times are invalid. */
  times: { start_s: number; end_s: number } | null;
  words: string[];
  /** Where a bare number is: directly above the arrow line, or above blank lines before it. */
  number: "above" | "apart" | null;
}

function splitAtArrows(lines: readonly string[]): Block[] {
  const blocks: Block[] = [];
  /** Place of the last line that is not blank. */
  let filled = -1;
  lines.forEach((given, index) => {
    const line = westernDigits(given).replace(COMMA_LINE, "$1 --> $2");
    if (isArrowLine(line)) {
      const isNumber = /^\s*\d+\s*$/.test(westernDigits(lines[filled] ?? ""));
      const number = !isNumber ? null : filled === index - 1 ? "above" : "apart";
      blocks.push({ times: readTimes(line), words: [], number });
    } else blocks.at(-1)?.words.push(given);
    if (given.trim() !== "") filled = index;
  });
  return blocks;
}

function isArrowLine(line: string): boolean {
  if (line.length >= LONGEST_ARROW_LINE) return false;
  return line.includes("->")
    ? MEANT_AS_TIMES.test(line)
    : /[>→⟶]/.test(line) && ARROW_LINE.test(line);
}

function readTimes(line: string): Block["times"] {
  const match = ARROW_LINE.exec(line);
  if (match === null) return null;
  return { start_s: seconds(match.slice(1, 6)), end_s: seconds(match.slice(6, 11)) };
}

/** The fraction is decimal, as in WebVTT: `1,5` is one and a half seconds. */
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
