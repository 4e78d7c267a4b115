import type { Sharp } from "sharp";
import type { Box } from "../../src/core/shapes.ts";
import { sharp } from "../../src/media/sharp.ts";
import {
  isCredible,
  isOneEquation,
  looksLikeEquation,
  PROSE,
  proseShare,
  relates,
} from "./ocr/equation.ts";
import { equationShape } from "./ocr/equation-shape.ts";
import { isPlausible, type Reading, withoutStrayDigits } from "./ocr/filter-readings.ts";
import { findFractions } from "./ocr/fractions.ts";
import {
  type Bounds,
  boxesOverlap,
  boxOf,
  freeInks,
  type InkPage,
  isCrowded,
} from "./ocr/glyphs.ts";
import { findMarks, holdsWriting, type Marks } from "./ocr/holds-writing.ts";
import { countLetters } from "./ocr/letter-classifier.ts";
import { enlarge } from "./ocr/pixel-kernels.ts";
import { free, type Plane } from "./ocr/plane.ts";
import { type EquationLine, readEquations } from "./ocr/read-equations.ts";
import { readingOf, readStrips, wholeLine } from "./ocr/read-strips.ts";
import { readUnsure } from "./ocr/read-unsure.ts";
import { findTextLines, type TextLine } from "./ocr/text-lines.ts";
import { OCR_PIXEL_LIMIT, undecodable } from "./ocr.ts";
import { shareWithin } from "./text-similarity.ts";

/**
 * A line of text or an equation, with its box in pixels of the upright image.
 * An equation that could not be read has `unread: true`, an empty text and confidence 0; it is never guessed.
 */
export interface ReadLine extends Reading {
  kind: "text" | "equation";
  unread?: true;
}

export interface ReadOptions {
  /** Lines with a lower confidence are omitted, 0 to 1. Default 0.6. */
  min_confidence?: number;
  /** Codes of tesseract whose data are in `data` or in installed packages. Default `["eng"]`. */
  languages?: readonly string[];
  /** Folder with tesseract data. */
  data?: string;
  /** Whether to read a box, in pixels of the image. Default: read everything. */
  where?: (box: Box) => boolean;
  /** Seconds after which the second reading, of a part with unsure lines, is given up; the lines are kept. Default 60. */
  page_s?: number;
  signal?: AbortSignal;
}

export const MIN_CONFIDENCE = 0.6;

/** An image whose longer side is below this, in pixels, is enlarged before detection. */
const SMALL_SIDE = 900;

/** Least confidence of a formula in a reading of a part of the page. */
const SURE_RELATION = 0.88;

/** The lines of a picture. */
export interface ReadPicture {
  lines: ReadLine[];
  /** As `lettersIn`, of the whole picture; undefined if no part of it was to be read. */
  letters: number | undefined;
}

/** The lines of `readPicture`. */
export async function readImage(image: Uint8Array, options: ReadOptions = {}): Promise<ReadLine[]> {
  return withLines(image, async (found) => (await readFound(found, options)).lines);
}

/**
 * Reads the text of a slide, a screen or a photograph. Finds the lines by their ink in any colours, renders each as
 * black on white at one letter size, and recognises them together.
 * Throws `Failure` `ocr` or `cancelled`.
 */
export async function readPicture(
  image: Uint8Array,
  options: ReadOptions = {},
): Promise<ReadPicture> {
  return withLines(image, async (found) => {
    const { lines, marks } = await readFound(found, options);
    if (marks === undefined) return { lines, letters: found.lines.length === 0 ? 0 : undefined };
    return { lines, letters: lettersOf(marks, found.page) };
  });
}

/** `marks` are those of all lines; undefined if none was to be read. */
async function readFound(
  { page, lines: found, scale }: PictureLines,
  options: ReadOptions,
): Promise<{ lines: ReadLine[]; marks?: Marks }> {
  const wanted = (box: Box) => options.where?.(scaled(box, 1 / scale)) ?? true;
  const lines = found.filter((line) => wanted(boxOf(line)));
  if (lines.length === 0) return { lines: [] };
  const marks = findMarks(found, page.plane);
  const read = await readLines(page, lines, marks, wanted, options);
  return { lines: read.map((line) => ({ ...line, box: scaled(line.box, 1 / scale) })), marks };
}

/** The lines of a picture on a page, of which each pixel of the image is `scale` pixels. */
interface PictureLines {
  page: InkPage;
  lines: TextLine[];
  scale: number;
}

/** Finds the lines of a picture for `use`, after which they are not valid. Throws `Failure` `ocr`. */
async function withLines<T>(
  image: Uint8Array,
  use: (found: PictureLines) => T | Promise<T>,
): Promise<T> {
  const { plane, scale } = await greyPlane(image);
  const found = await findTextLines(plane);
  try {
    return await use({ ...found, scale });
  } finally {
    freeInks(found.page);
    free(plane.pixels);
  }
}

/** Reads the chosen lines of a page. Boxes are in pixels of the page. */
async function readLines(
  page: InkPage,
  lines: readonly TextLine[],
  marks: Marks,
  wanted: (box: Box) => boolean,
  options: ReadOptions,
): Promise<ReadLine[]> {
  const { plane } = page;
  const least = options.min_confidence ?? MIN_CONFIDENCE;
  if (!(await holdsWriting(page, lines, marks, least, options))) return [];
  const strips = await readStrips(page, lines.map(wholeLine), options);
  const readings = strips.map((rows) => rows.map((row) => readingOf(row)));
  const texts: Reading[] = [];
  // `credible`: whether to report the equation if it cannot be read.
  const equations: (EquationLine & { credible: boolean })[] = [];
  const formulas = findFractions(page).filter((formula) => {
    const inside = lines.flatMap((line, index) =>
      within(line, formula) ? (readings[index] ?? []) : [],
    );
    const text = inside.map((reading) => reading.text).join(" ");
    return inside.length > 0 && proseShare(text) <= PROSE && isCredible(inside, formula);
  });
  for (const [index, line] of lines.entries()) {
    if (formulas.some((formula) => within(line, formula))) continue;
    const shape = equationShape(line);
    const read = readings[index] ?? [];
    if (read.some((reading) => looksLikeEquation(reading.text, shape)))
      equations.push({
        line,
        shape,
        credible: isCredible(read, line) && isOneEquation(read, shape),
      });
    else texts.push(...read.filter((reading) => isPlausible(reading, line.size, least)));
  }
  const read = await readEquations(page, equations, { ...options, min_confidence: least });
  const mathematics = [
    ...equations.flatMap(({ line, credible }, index): ReadLine[] => {
      const found = read[index];
      const box = boxOf(line);
      if (found != null) return [{ kind: "equation", ...found, box }];
      return credible ? [unread(box)] : [];
    }),
    ...formulas.map((formula) => unread(boxOf(formula))),
  ];
  const plain = isCrowded(page)
    ? []
    : await readUnsure(page, lines, readings, marks.written, options);
  const merged = better(
    texts,
    plain.filter(
      (reading) =>
        isPlausible(reading, 0, relates(reading.text) ? Math.max(least, SURE_RELATION) : least) &&
        wanted(reading.box),
    ),
  ).filter((reading) => !mathematics.some((line) => boxesOverlap(line.box, reading.box)));
  const words = withoutStrayDigits(merged, plane.height);
  return [...words.map((reading): ReadLine => ({ kind: "text", ...reading })), ...mathematics]
    .sort((a, b) => a.box.y - b.box.y || a.box.x - b.box.x)
    .map((line) => ({
      ...line,
      confidence: Math.round(line.confidence * 1000) / 1000,
    }));
}

/** Whether an image has rows of marks, as lines of text have. Nothing is recognised. Throws `Failure` `ocr`. */
export async function holdsText(image: Uint8Array): Promise<boolean> {
  return withLines(image, ({ lines }) => lines.length > 0);
}

/**
 * Number of sharp marks of an image in rows that may be letters of any script; 0 if none of them looks like letters. Nothing is
 * recognised. Throws `Failure` `ocr`.
 */
export async function lettersIn(image: Uint8Array): Promise<number> {
  return withLines(image, ({ page, lines }) => lettersOf(findMarks(lines, page.plane), page));
}

function lettersOf(marks: Marks, { plane }: InkPage): number {
  return marks.rows.length > 0 && marks.likeness() === "letters"
    ? countLetters(marks.rows, plane)
    : 0;
}

/** Merges two sets of readings. If readings overlap, those with more confident text are used. */
function better(ours: Reading[], plain: Reading[]): Reading[] {
  const worth = (readings: Reading[]) =>
    readings.reduce(
      (sum, { text, confidence }) =>
        sum + confidence ** 2 * (text.match(/[\p{L}\p{N}]/gu)?.length ?? 0),
      0,
    );
  const kept = new Set(ours);
  for (const reading of [...plain].sort((a, b) => b.text.length - a.text.length)) {
    const rivals = [...kept].filter((other) => boxesOverlap(other.box, reading.box));
    if (worth([reading]) <= worth(rivals)) continue;
    for (const rival of rivals) kept.delete(rival);
    kept.add(reading);
  }
  return [...kept];
}

const unread = (box: Box): ReadLine => ({
  kind: "equation",
  text: "",
  confidence: 0,
  box,
  unread: true,
});

/** Whether more than half of a line is inside a formula. */
const within = (line: Bounds, formula: Bounds) => shareWithin(boxOf(line), boxOf(formula)) > 0.5;

async function greyPlane(image: Uint8Array): Promise<{ plane: Plane; scale: number }> {
  try {
    const upright = sharp(image, { limitInputPixels: OCR_PIXEL_LIMIT, failOn: "error" })
      .autoOrient()
      .flatten({ background: "white" })
      .greyscale();
    const first = await rawPlane(upright);
    if (Math.max(first.width, first.height) >= SMALL_SIDE) return { plane: first, scale: 1 };
    const plane = enlarge(first);
    free(first.pixels);
    return { plane, scale: 2 };
  } catch (error) {
    throw undecodable(image, error);
  }
}

async function rawPlane(pipeline: Sharp): Promise<Plane> {
  const { data, info } = await pipeline
    .toColourspace("b-w")
    .raw()
    .toBuffer({ resolveWithObject: true });
  return { pixels: data, width: info.width, height: info.height };
}

function scaled(box: Box, by: number): Box {
  return {
    x: Math.round(box.x * by),
    y: Math.round(box.y * by),
    width: Math.round(box.width * by),
    height: Math.round(box.height * by),
  };
}
