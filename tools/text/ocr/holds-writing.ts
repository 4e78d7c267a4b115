import pLimit from "p-limit";
import { sharp } from "../../../src/media/sharp.ts";
import { LETTER } from "../letters.ts";
import { type OcrOptions, warmOcr } from "../ocr.ts";
import { findWriting } from "./edge-sharpness.ts";
import { isCredible, looksLikeEquation } from "./equation.ts";
import { equationShape } from "./equation-shape.ts";
import { isPlausible, type Reading, withoutStrayDigits } from "./filter-readings.ts";
import { type InkPage, isCrowded } from "./glyphs.ts";
import {
  holdLetters,
  type Likeness,
  likenessToLetters,
  mostLikeLetters,
} from "./letter-classifier.ts";
import { free, type Plane } from "./plane.ts";
import { readPage } from "./read-page.ts";
import { readingOf, readStrips, wholeLine } from "./read-strips.ts";
import type { TextLine } from "./text-lines.ts";

/** Share of lines that are rows of sharp letters from which a picture certainly contains text. */
const SURE = 0.25;
/** From this many lines on, a picture may be a texture: of its lines only a sample is read to find out. */
const MANY = 60;
/** Lines of the sample, those that look most like letters. */
const SAMPLE = 12;
/** If a picture has at most this many lines, they are read if any may be writing, because that costs little. */
const FEW = 8;
/** From this many lines on, a picture without letter-like lines is not read. */
const CROWD = 12;
/** Margin below the required confidence for a hint, because it was read together with other lines. */
const MARGIN = 0.1;
/** The same for a hint with a long word, which textures do not produce. */
const WORD_MARGIN = 0.25;
/** Least confidence of a hint with few characters, or with characters that do not form a word or number. */
const SHORT_HINT = 0.85;
/**
 * Least confidence of the readings of the lines that look most like letters, or of two characters on the small copy, for
 * the other lines to be read. In 480 frames of films and photographs, most with a few words drawn on them, those of all
 * pictures with readable text were higher.
 */
const HOPE = 0.45;

/** Hints are short readings. One tesseract worker is enough for them, and film without text starts no other. */
const onOneWorker = pLimit(1);

const LONG_WORD = new RegExp(`(?:${LETTER}){5}`, "u");
const WORD = new RegExp(`(?:${LETTER}|\\p{N}){3}`, "u");

/** Whether a reading suggests that the picture contains text of the required confidence. */
function isHint(reading: Reading, least: number): boolean {
  const { text, confidence } = reading;
  if (LONG_WORD.test(text)) return isPlausible(reading, 0, least - WORD_MARGIN);
  const makesWord = WORD.test(text);
  return (
    isPlausible(reading, 0, least - MARGIN, SHORT_HINT) && (makesWord || confidence >= SHORT_HINT)
  );
}

/** What all lines of a picture look like before anything is recognised. */
export interface Marks extends ReturnType<typeof findWriting> {
  found: readonly TextLine[];
  /** How much the marks look like letters. */
  likeness(): Likeness;
}

export function findMarks(found: readonly TextLine[], plane: Plane): Marks {
  const writing = findWriting(found, plane);
  let likeness: Likeness | undefined;
  return {
    ...writing,
    found,
    likeness: () => (likeness ??= likenessToLetters(writing.written, plane)),
  };
}

/**
 * Whether these lines of a picture may contain text of at least the confidence `least`. `marks` are those of the
 * whole picture. Film without text produces dozens of lines of texture, each of which costs a reading. Nothing is read if no
 * line looks like letters. Otherwise the lines that do are read first, then a small copy of the picture, and the other
 * lines with the edges of writing only if these gave something. Throws `Failure` `ocr`, `cancelled`.
 */
export async function holdsWriting(
  page: InkPage,
  lines: readonly TextLine[],
  marks: Marks,
  least: number,
  options: OcrOptions,
): Promise<boolean> {
  const { found } = marks;
  const { written, rows } = lines.length === found.length ? marks : findWriting(lines, page.plane);
  if (written.length === 0) return false;
  if (found.length <= FEW) return true;
  if (rows.length > 0 && rows.length >= lines.length * SURE) {
    if (lines.length < MANY) return true;
    const sample = await readHints(page, rows, least, options);
    return sample.found || holdsWord(await glimpse(page, options), least);
  }
  if (found.length > CROWD && marks.likeness() !== "letters") {
    // One of the next pictures may have letters.
    if (marks.likeness() === "similar") warmOcr(options);
    return false;
  }
  const lettered = written.filter((line) => holdLetters([line], page.plane));
  const best = await readHints(page, lettered, least, options);
  if (best.found) return true;
  const glimpsed = rows.length === 0 ? [] : await glimpse(page, options);
  if (holdsWord(glimpsed, least)) return true;
  if (lettered.length === written.length) return false;
  const hope = [...best.readings, ...glimpsed.filter(({ text }) => TWO.test(text))];
  if (found.length > CROWD && hope.every(({ confidence }) => confidence < HOPE)) return false;
  return (await readHints(page, written, least, options)).found;
}

/** A small copy of the picture, read as a page; nothing if it is crowded with marks. */
async function glimpse(page: InkPage, options: OcrOptions): Promise<Reading[]> {
  return isCrowded(page) ? [] : onOneWorker(() => readSmall(page.plane, options));
}

function holdsWord(readings: readonly Reading[], least: number): boolean {
  return readings.some((reading) => /\p{L}{2}/u.test(reading.text) && isHint(reading, least));
}

/** A reading with at least two letters or digits. */
const TWO = /[\p{L}\p{N}].*[\p{L}\p{N}]/u;

/**
 * Reads lines together, of many lines a sample. `found`: whether one of them suggests that there is text of the confidence
 * `least`.
 */
async function readHints(
  page: InkPage,
  all: readonly TextLine[],
  least: number,
  options: OcrOptions,
): Promise<{ found: boolean; readings: Reading[] }> {
  if (all.length === 0) return { found: false, readings: [] };
  const lines = all.length < MANY ? all : mostLikeLetters(all, SAMPLE, page.plane);
  const strips = await onOneWorker(() => readStrips(page, lines.map(wholeLine), options));
  const readings = strips.map((rows) => rows.map((words) => readingOf(words)));
  const hints = readings.flat().filter((reading) => isHint(reading, least));
  const found =
    withoutStrayDigits(hints, page.plane.height).length > 0 ||
    lines.some((line, index) => {
      const read = readings[index] ?? [];
      const shape = equationShape(line);
      const equations = read.filter(({ text }) => looksLikeEquation(text, shape));
      return (
        equations.some(({ confidence }) => confidence >= least - MARGIN) && isCredible(read, line)
      );
    });
  return { found, readings: readings.flat() };
}

/** Width in pixels of the small copy of a page that is read first. */
const GLIMPSE = 960;

/** Reads a small copy with tesseract's own layout analysis, which finds faint words on a photograph with broken ink. */
async function readSmall(plane: Plane, options: OcrOptions): Promise<Reading[]> {
  const { pixels, width, height } = plane;
  const small = await sharp(pixels, { raw: { width, height, channels: 1 } })
    .resize({ width: Math.min(width, GLIMPSE) })
    .toColourspace("b-w")
    .raw()
    .toBuffer({ resolveWithObject: true });
  const { data, info } = small;
  try {
    return await readPage({ pixels: data, width: info.width, height: info.height }, options);
  } finally {
    free(data);
  }
}
