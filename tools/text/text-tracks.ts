import type { FrameRef } from "../../src/core/shapes.ts";
import { type Scan, shownUntil, signatureAt, timeOf } from "../../src/media/scan.ts";
import { LETTER } from "./letters.ts";
import type { ReadLine } from "./read-image.ts";
import { cellsUnder } from "./regions-to-read.ts";
import { MOVING_STEP_S, type ScreenState, STAND_S } from "./screen-states.ts";
import { overlap, sameText } from "./text-similarity.ts";

/** A state with the lines read in it. */
export interface ReadState {
  state: ScreenState;
  frame: FrameRef;
  lines: readonly ReadLine[];
}

/** One text at one place. It is visible from `start_s` to `end_s`, which are times of frames. */
export interface TextTrack {
  line: ReadLine;
  frame: FrameRef;
  start_s: number;
  end_s: number;
  /** When the line was first complete: later than `start_s` if the video shows it being written. */
  complete_s: number;
}

interface Sighting {
  line: ReadLine;
  frame: FrameRef;
  calm: boolean;
  /** The first frame with the text, and the frame after the last. */
  from: number;
  to: number;
}

/** Share of a cell that a text must cover for changes of the cell to count. */
const MOSTLY = 0.3;
/** Grey levels from which a cell under a text counts as changed, and the share of such cells that ends the text. */
const CHANGED = 6;
const GONE = 0.34;
/** Seconds for which a text may be hidden or missed and still be the same text. */
const GAP_S = 1;
/** Seconds for which the beginning of a line may be visible before the line continues. */
const GROWING_S = 2;
/**
 * A text visible for less than these seconds in a single reading needs more confidence, because moving objects are
 * misread as text. Unread equations have none.
 */
const BRIEF_S = 4;
const BRIEF_CONFIDENCE = 0.7;
/** The same for letters that do not form a word, as folds and hands are read. */
const WORDLESS = 0.9;
/** Least confidence and letters of a text seen in a single moving picture. */
const MOMENT_CONFIDENCE = 0.8;
const MOMENT_LETTERS = 4;

/**
 * Joins the lines of all readings into texts with time spans: a title over ten states is one text.
 * The span of a line is followed from the frame it was read in, while the picture under it stays and no reading there
 * contradicts it. The most confident reading of a text is used.
 */
export function joinLines(scan: Scan, reads: readonly ReadState[]): TextTrack[] {
  const open: Sighting[][] = [];
  for (const [index, read] of reads.entries())
    for (const line of read.lines) {
      const sighting = sight(scan, reads, index, line);
      const known = open.find((members) => members.some((member) => joins(scan, member, sighting)));
      if (known === undefined) open.push([sighting]);
      else known.push(sighting);
    }
  return open
    .map((members) => trackOf(scan, members))
    .filter((track) => track !== null)
    .sort((a, b) => a.start_s - b.start_s || a.line.box.y - b.line.box.y);
}

function sight(scan: Scan, reads: readonly ReadState[], index: number, line: ReadLine): Sighting {
  const { state, frame } = reads[index] as ReadState;
  const cells = cellsUnder(scan, line.box, frame, MOSTLY);
  const says = (other: ReadState) =>
    other.lines.some(
      (seen) => overlap(seen.box, line.box) > 0.3 && !isSame(seen, line) && other.state.calm,
    );
  let earliest = 0;
  for (let k = index - 1; k >= 0 && earliest === 0; k--) {
    const other = reads[k];
    if (other !== undefined && says(other)) earliest = Math.min(other.state.to + 1, state.read);
  }
  let latest = scan.count - 1;
  for (let k = index + 1; k < reads.length && latest === scan.count - 1; k++) {
    const other = reads[k];
    if (other !== undefined && says(other)) latest = Math.max(other.state.from - 1, state.read);
  }
  const picture = signatureAt(scan, state.read).slice();
  const stays = (at: number) => {
    const now = signatureAt(scan, at);
    let changed = 0;
    for (const cell of cells)
      if (Math.abs((now[cell] ?? 0) - (picture[cell] ?? 0)) > CHANGED) changed++;
    return changed <= cells.length * GONE;
  };
  let from = state.read;
  while (from > earliest && stays(from - 1)) from--;
  let to = state.read;
  while (to < latest && stays(to + 1)) to++;
  return { line, frame, calm: state.calm, from, to: to + 1 };
}

function joins(scan: Scan, a: Sighting, b: Sighting): boolean {
  const gap = timeOf(scan, Math.max(a.from, b.from)) - timeOf(scan, Math.min(a.to, b.to));
  const later = timeOf(scan, b.from) - timeOf(scan, a.from);
  if (gap <= GAP_S && later >= 0 && later < GROWING_S && grows(a.line, b.line)) return true;
  if (overlap(a.line.box, b.line.box) < 0.3 || !isSame(a.line, b.line)) return false;
  return gap <= (a.calm && b.calm ? GAP_S : MOVING_STEP_S * 1.2);
}

/** Whether the second line continues the first: the same beginning at the same place. */
function grows(before: ReadLine, after: ReadLine): boolean {
  const [short, long] = [before, after].map(({ text }) => text.replace(/\s+/g, "").toLowerCase());
  if (short === undefined || long === undefined || short.length < 2) return false;
  return (
    short.length < long.length &&
    long.startsWith(short.slice(0, -1)) &&
    Math.abs(before.box.x - after.box.x) <= after.box.height &&
    Math.abs(before.box.y - after.box.y) <= after.box.height / 2
  );
}

/** Whether two readings are of the same text. A read and an unread equation at the same place are the same. */
function isSame(a: ReadLine, b: ReadLine): boolean {
  if (a.unread || b.unread) return overlap(a.box, b.box) > 0.5;
  if (a.kind === "equation" && b.kind === "equation") return a.text === b.text;
  return sameText(a.text, b.text);
}

function trackOf(scan: Scan, members: Sighting[]): TextTrack | null {
  const worth = ({ line }: Sighting) => line.confidence ** 2 * (1 + line.text.length);
  const surest = members.reduce((best, one) => (worth(one) > worth(best) ? one : best));
  const start_s = timeOf(scan, Math.min(...members.map((one) => one.from)));
  const last = Math.max(...members.map((one) => one.to));
  const end_s = timeOf(scan, last);
  const lasted = shownUntil(scan, last) - start_s;
  const { line, frame } = surest;
  const whole = members.filter((one) => one.line.text === line.text);
  const complete_s = timeOf(scan, Math.min(...whole.map((one) => one.from)));
  if (members.some((one) => one.calm)) {
    if (lasted < STAND_S && scan.count > 1) return null;
    const seenOnce = members.length === 1 && lasted < BRIEF_S && scan.count > 1;
    if (seenOnce && line.confidence < (isWordless(line) ? WORDLESS : BRIEF_CONFIDENCE)) return null;
  } else if (members.length === 1) {
    const letters = line.text.match(/[\p{L}\p{N}]/gu)?.length ?? 0;
    if (line.confidence < MOMENT_CONFIDENCE || letters < MOMENT_LETTERS) return null;
  }
  return { line, frame, start_s, end_s, complete_s };
}

const WORD = new RegExp(`(?:${LETTER}){3}|\\p{N}{2}`, "u");

function isWordless({ kind, text }: ReadLine): boolean {
  return kind === "text" && !WORD.test(text);
}
