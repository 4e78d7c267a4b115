import { meanConfidence, type OcrOptions } from "../ocr.ts";
import { isPlausible, type Reading } from "./filter-readings.ts";
import {
  type Bounds,
  boxesOverlap,
  boxOf,
  heightOf,
  hull,
  type InkPage,
  widthOf,
} from "./glyphs.ts";
import { free, type Plane } from "./plane.ts";
import { readPage } from "./read-page.ts";
import type { TextLine } from "./text-lines.ts";

/** From this mean confidence on, nothing of a page is read again. */
const SURE_PAGE = 0.95;
/** A line with a reading of less confidence is unsure. */
const SURE_LINE = 0.93;
/** Margin around the unsure lines, as a share of the longer side of the page. */
const MARGIN = 1 / 20;
/** A line of fewer marks that does not look like writing is a speck. */
const MARKS = 3;
/** A reading may go on beyond a side of the part that is this near, in heights of the reading: a space between words. */
const NEAR = 0.5;
/** Least confidence of a reading that is cut, for the rest of its line to be looked for. */
const HOPE = 0.3;

/**
 * Reads the part of a page with its unsure lines again, with tesseract's own layout analysis: it finds words that touch a
 * frame or stand on a photograph. Lines that are sure are left out where they stand apart, because such a reading takes
 * most of its time for them. Boxes are in pixels of the page. Throws as `readPage`.
 */
export async function readUnsure(
  { plane }: InkPage,
  lines: readonly TextLine[],
  readings: readonly (readonly Reading[])[],
  written: readonly TextLine[],
  options: OcrOptions & { page_s?: number },
): Promise<Reading[]> {
  if (meanConfidence(readings.flat()) >= SURE_PAGE) return [];
  const unsure = new Set(
    lines.filter(
      (line, index) =>
        (line.glyphs.length >= MARKS || written.includes(line)) && !isSure(readings[index] ?? []),
    ),
  );
  if (unsure.size === 0) return [];
  const part = around([...unsure], plane);
  const found = await readPart(plane, part, options);
  const known = lines.filter((line) => !unsure.has(line));
  if (!found.some((reading) => isCutWord(reading, part, plane, known))) return found;
  const whole = await readPart(plane, { ...part, x0: 0, x1: plane.width - 1 }, options);
  // Nothing: it took too long.
  return whole.length > 0 ? whole : found;
}

const isSure = (read: readonly Reading[]) =>
  read.length > 0 && read.every(({ confidence }) => confidence >= SURE_LINE);

function around(lines: readonly TextLine[], { width, height }: Plane): Bounds {
  const margin = Math.round(Math.max(width, height) * MARGIN);
  const { x0, y0, x1, y1 } = hull(lines);
  return {
    x0: Math.max(0, x0 - margin),
    y0: Math.max(0, y0 - margin),
    x1: Math.min(width - 1, x1 + margin),
    y1: Math.min(height - 1, y1 + margin),
  };
}

/** Whether a reading may go on beyond the left or right side of the part, and is not of a line that is known. */
function isCutWord(
  reading: Reading,
  part: Bounds,
  plane: Plane,
  known: readonly TextLine[],
): boolean {
  const { x, width, height } = reading.box;
  const near = height * NEAR;
  const left = part.x0 > 0 && x - part.x0 <= near;
  const right = part.x1 < plane.width - 1 && part.x1 + 1 - x - width <= near;
  return (
    (left || right) &&
    isPlausible(reading, 0, HOPE) &&
    !known.some((line) => boxesOverlap(boxOf(line), reading.box))
  );
}

async function readPart(
  { pixels, width }: Plane,
  part: Bounds,
  options: OcrOptions & { page_s?: number },
): Promise<Reading[]> {
  const size = { width: widthOf(part), height: heightOf(part) };
  const cut = new Uint8Array(size.width * size.height);
  for (let y = 0; y < size.height; y++) {
    const from = (part.y0 + y) * width + part.x0;
    cut.set(pixels.subarray(from, from + size.width), y * size.width);
  }
  const found = await readPage({ pixels: cut, ...size }, options).finally(() => free(cut));
  return found.map(({ box, ...reading }) => ({
    ...reading,
    box: { ...box, x: box.x + part.x0, y: box.y + part.y0 },
  }));
}
