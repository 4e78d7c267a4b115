import { type Glyph, heightOf, widthOf } from "./glyphs.ts";
import type { Plane } from "./plane.ts";
import type { TextLine } from "./text-lines.ts";

/*
 * Distinguishes writing from the rest of a picture before any recognition. Folds, shadows and foliage fade into their
 * background; the ink of writing ends within two pixels. Thresholds were measured on lines read from photographs, films
 * and boards of many sizes and fonts, and on lines found in film without text.
 */

/** Distance in pixels beyond an edge at which the ink of writing has ended. */
const OUTSIDE = 2;
/** Least letters of a row, and of a long row. Rows seldom form by chance. */
const ROW = 3;
const LONG_ROW = 6;
/** Ink that is less deep than this multiple of the contrast of ink is broken, and its edges are soft. */
const FAINT = 1.5;
/**
 * Least drop beyond the edges, as a share of the ink's depth. In film without text the median is 0.39, in writing 0.7.
 */
const SHARP_ROW = 0.3;
const SHARP_LONG_ROW = 0.2;
const SHARP_FAINT_ROW = 0.15;
const SHARP_PAIR = 0.5;
const SHARP_WORD = 0.6;
const SHARP_DIGIT = 0.5;
/** Share of the picture's height from which a single digit is read; smaller digits only if similar ones exist. */
const LARGE = 1 / 18;
const ALIKE = 3;
/** Ratios of width to height: least for a digit, least for several touching letters, and least for two letters. */
const DIGIT_WIDTH = 0.2;
const JOINED_WIDTH = 0.9;
const PAIR_WIDTH = 0.6;
/** Largest share of its box that a letter fills. */
const FULL = 0.9;
interface Edges {
  line: TextLine;
  letters: Glyph[];
  /** Depth of the ink, 90th percentile, in grey levels. */
  full: number;
  /** Share of that depth that is lost beyond the edges, the median over the letters. */
  sharpness: number;
}

/** Returns the lines that may be writing, and those of them that are rows of letters. Nothing is recognised. */
export function findWriting(
  lines: readonly TextLine[],
  plane: Plane,
): { written: TextLine[]; rows: TextLine[] } {
  const all = lines.map((line) => edgesOf(line, plane));
  const rows = all.filter(isRow);
  const pairs = all.filter(
    (it) => it.letters.length === 2 && it.sharpness >= SHARP_PAIR && aspect(it.line) >= PAIR_WIDTH,
  );
  const alone = all.filter(
    (it) =>
      it.letters.length < 2 && it.sharpness >= SHARP_DIGIT && it.letters.every(isNoSolidBlock),
  );
  const joined = alone.filter(
    (it) => aspect(it.line) >= JOINED_WIDTH && it.sharpness >= SHARP_WORD,
  );
  const digits = alone.filter(
    ({ line }) => aspect(line) < JOINED_WIDTH && aspect(line) >= DIGIT_WIDTH,
  );
  const believed = digits.filter(
    (it) =>
      it.line.size >= plane.height * LARGE ||
      digits.filter((other) => isAlike(it, other)).length >= ALIKE,
  );
  const written = new Set([...rows, ...pairs, ...joined, ...believed].map((it) => it.line));
  return {
    written: lines.filter((line) => written.has(line)),
    rows: rows.map((it) => it.line),
  };
}

function isRow({ line, letters, full, sharpness }: Edges): boolean {
  if (letters.length < ROW) return false;
  if (full < line.ink.contrast * FAINT) return sharpness >= SHARP_FAINT_ROW;
  return sharpness >= (letters.length < LONG_ROW ? SHARP_ROW : SHARP_LONG_ROW);
}

const aspect = (line: TextLine) => widthOf(line) / heightOf(line);

const isNoSolidBlock = (glyph: Glyph) => glyph.area < widthOf(glyph) * heightOf(glyph) * FULL;

/** Whether two digits have the same size and ink, as on an axis or in a table. */
function isAlike(a: Edges, b: Edges): boolean {
  return (
    Math.abs(a.line.size - b.line.size) <= a.line.size * 0.25 &&
    Math.abs(a.full - b.full) <= a.full * 0.3
  );
}

function edgesOf(line: TextLine, { pixels, width, height }: Plane): Edges {
  const { mask, background, sign } = line.ink;
  const letters = line.glyphs.filter((glyph) => heightOf(glyph) >= line.size * 0.5);
  const depth = (at: number) => ((background[at] ?? 0) - (pixels[at] ?? 0)) * sign;
  const histogram = new Uint32Array(256);
  let inked = 0;
  const falls = letters.map((letter) => {
    let fall = 0;
    let edges = 0;
    // From the pixel inside the edge to the pixel outside. `room`: pixels to the border of the picture in that
    // direction.
    const edge = (at: number, step: number, room: number, behind: number) => {
      if (room < OUTSIDE || mask[at + step] === 1) return;
      fall += Math.abs(depth(behind > 0 ? at - step : at) - depth(at + OUTSIDE * step));
      edges++;
    };
    for (let y = letter.y0; y <= letter.y1; y++)
      for (let x = letter.x0; x <= letter.x1; x++) {
        const at = y * width + x;
        if (mask[at] !== 1) continue;
        const deep = Math.max(0, depth(at));
        histogram[deep] = (histogram[deep] ?? 0) + 1;
        inked++;
        const [right, below] = [width - 1 - x, height - 1 - y];
        edge(at, 1, right, x);
        edge(at, -1, x, right);
        edge(at, width, below, y);
        edge(at, -width, y, below);
      }
    return edges === 0 ? 0 : fall / edges;
  });
  const full = strongestTenth(histogram, inked);
  const fall = falls.sort((a, b) => a - b)[Math.floor(falls.length / 2)] ?? 0;
  return { line, letters, full, sharpness: fall / Math.max(1, full) };
}

/** The level that a tenth of the pixels reach. */
function strongestTenth(histogram: Uint32Array, count: number): number {
  let level = 255;
  for (let above = histogram[255] ?? 0; above < count / 10 && level > 0; ) {
    level--;
    above += histogram[level] ?? 0;
  }
  return level;
}
