import type { Box } from "../../../src/core/shapes.ts";
import { type OcrResult, recognise } from "../../text/ocr.ts";
import { type CentredLine, findCentredLine, forReading, planeOf } from "./centred-line.ts";

/** The text of one frame. `number` is the one most readings agree on; `votes` counts the readings by number. */
export type CardReading =
  | { card: true; number: number; confidence: number; votes: ReadonlyMap<number, number> }
  | { card: false; why: string };

/**
 * Heights in pixels to which the line is scaled; its letters take about four fifths. At 72 pixels `1` and `5` are
 * read reliably.
 */
const LINE = 72;
const SMALL_LINE = 48;
/** Confidence from which a clean reading needs no second one. */
const SURE = 0.8;
/** Confidence below which digits read separately are ignored. */
const LEAST = 0.5;

/** Reads a frame as a card: `Clip N`, centred, on a flat dark background, without other text. */
export async function readCard(
  image: Uint8Array,
  options: { signal?: AbortSignal } = {},
): Promise<CardReading> {
  const plane = await planeOf(image);
  const words = findCentredLine(plane);
  if ("reason" in words) return { card: false, why: words.reason };
  const read = async (box: Box, height: number, how: Parameters<typeof recognise>[1]) =>
    recognise(await forReading(plane, words, box, height), { ...options, ...how });

  const first = await read(words.box, LINE, { psm: "line" });
  const clean = parseCard(first.text);
  if (clean?.strict && first.confidence >= SURE) return reading([[clean.number, first.confidence]]);
  return settle(words, first, read);
}

type Read = (box: Box, height: number, how: Parameters<typeof recognise>[1]) => Promise<OcrResult>;

/** Reads the word and the number separately and at another size. The majority of the readings wins. */
async function settle(words: CentredLine, first: OcrResult, read: Read): Promise<CardReading> {
  const second = await read(words.box, SMALL_LINE, { psm: "line" });
  const lines = [first, second];
  const seen = lines.map((line) => line.text);
  const whole = lines.flatMap((line): [number, number][] => {
    const parsed = parseCard(line.text);
    return parsed === null ? [] : [[parsed.number, line.confidence]];
  });
  if (words.parts === null) return whole.length > 0 ? reading(whole) : not(seen);
  const word = await read(words.parts.word, SMALL_LINE, { psm: "word" });
  const saysClip = whole.length > 0 || isClip(word.text.trim());
  if (!saysClip) return not(seen);
  const digits = await Promise.all([
    read(words.parts.number, SMALL_LINE, { psm: "word", whitelist: DIGITS }),
    read(words.parts.number, LINE, { psm: "line", whitelist: DIGITS }),
  ]);
  const alone = digits.flatMap((line): [number, number][] => {
    const number = numberOf(line.text.trim());
    return number === null || line.confidence < LEAST ? [] : [[number, line.confidence]];
  });
  // Letters next to the number would be read as digits too. A separate reading counts only if the line does not
  // contradict it.
  if (whole.length === 0 && !lines.some((line) => endsLikeNumber(line.text))) return not(seen);
  const all = [...whole, ...alone];
  return all.length > 0 ? reading(all) : not(seen);
}

function reading(votes: readonly [number, number][]): CardReading {
  const counts = new Map<number, number>();
  const trust = new Map<number, number>();
  for (const [number, confidence] of votes) {
    counts.set(number, (counts.get(number) ?? 0) + 1);
    trust.set(number, (trust.get(number) ?? 0) + confidence);
  }
  const [number = 0, sum = 0] = [...trust].reduce((a, b) => (b[1] > a[1] ? b : a));
  return { card: true, number, confidence: sum / votes.length, votes: counts };
}

function not(seen: readonly string[]): CardReading {
  return { card: false, why: `other text: ${JSON.stringify(seen[0] ?? "")}` };
}

const DIGITS = "0123456789";

/** Parses `Clip 12`. `strict` is false if look-alike letters were replaced. */
export function parseCard(text: string): { number: number; strict: boolean } | null {
  const line = text.trim().replace(/^[\s.,'"`_-]+|[\s.,'"`_-]+$/g, "");
  const exact = /^clip ?(\d{1,4})$/i.exec(line);
  if (exact?.[1] !== undefined) return positive(Number(exact[1]), /^clip \d/i.test(line));
  const parts = /^(\S{3,5}) (\S{1,4})$/.exec(line) ?? /^(\D{3,5}?)(\d{1,4})$/.exec(line);
  if (parts?.[1] === undefined || parts[2] === undefined || !isClip(parts[1])) return null;
  const number = numberOf(parts[2]);
  return number === null ? null : positive(number, false);
}

function positive(number: number, strict: boolean): { number: number; strict: boolean } | null {
  return number > 0 ? { number, strict } : null;
}

/** Whether a word is `Clip` or a common misreading: `CIip`, `C1ip`, `(lip`, `Chp`. */
function isClip(word: string): boolean {
  return /^[c(€¢](?:[il1|!\][jt]{2}|h)[pþ]$/i.test(word);
}

/** Parses digits, and letters that are commonly read in their place. */
function numberOf(text: string): number | null {
  const digits = text
    .replace(/[lI|!\]]/g, "1")
    .replace(/[Oo]/g, "0")
    .replace(/[Zz]/g, "2")
    .replace(/[Ss]/g, "5")
    .replace(/B/g, "8");
  return /^\d{1,4}$/.test(digits) ? Number(digits) : null;
}

/** Whether the word is followed by at most four characters that could be misread digits. */
function endsLikeNumber(line: string): boolean {
  return /^\S{3,5}?\s*[\dlI|!\]OoZzSsBT?/\\]{0,4}$/.test(line.trim());
}
