import type { Box } from "../../../src/core/shapes.ts";
import { sharp } from "../../../src/media/sharp.ts";

/** A greyscale frame, row by row. */
export interface Plane {
  width: number;
  height: number;
  grey: Uint8Array;
}

/** A line of light text in the middle of a flat dark frame. Boxes are in pixels of the frame. */
export interface CentredLine {
  box: Box;
  /** The text on each side of the widest gap: the word and its number. Null without a gap. */
  parts: { word: Box; number: Box } | null;
  background: number;
  ink: number;
}

/** The edge of the frame, where a border or a logo may be, as a share of each side. */
const MARGIN = 0.07;
/** Least difference in levels between text and background. Grey text on off-black has 100. */
const LEAST_CONTRAST = 60;
/** Levels by which a block of the background may be lighter than its middle. */
const FLAT = 7;
const BLOCKS = { x: 32, y: 18 };
/**
 * Levels by which no block of the middle half may be lighter. A lighter block is an object in a dark scene, not a
 * logo.
 */
const OBJECT = 14;

export async function planeOf(image: Uint8Array): Promise<Plane> {
  const { data, info } = await sharp(image).greyscale().raw().toBuffer({ resolveWithObject: true });
  return { width: info.width, height: info.height, grey: data };
}

/** Finds the one centred line of text of a card, or returns why the frame is not a card. */
export function findCentredLine(plane: Plane): CentredLine | { reason: string } {
  const inner = innerOf(plane);
  const { background, ink } = levelsOf(plane);
  if (ink - background < LEAST_CONTRAST) return { reason: "no light text" };
  const threshold = background + (ink - background) * 0.45;
  const lit = (x: number, y: number) => (plane.grey[y * plane.width + x] ?? 0) > threshold;

  const rows = spans(inner.y, inner.y + inner.height, (y) => {
    let count = 0;
    for (let x = inner.x; x < inner.x + inner.width; x++) if (lit(x, y)) count++;
    return count;
  });
  const total = rows.reduce((sum, row) => sum + row.ink, 0);
  const line = rows.reduce((most, row) => (row.ink > most.ink ? row : most), rows[0] ?? NO_SPAN);
  if (line.ink < total * 0.96) return { reason: "more than one line" };
  const columns = spans(inner.x, inner.x + inner.width, (x) => {
    let count = 0;
    for (let y = line.from; y < line.to; y++) if (lit(x, y)) count++;
    return count;
  }).filter((column) => column.ink >= line.ink * 0.015);
  const left = columns[0]?.from ?? 0;
  const right = columns.at(-1)?.to ?? 0;
  const box = { x: left, y: line.from, width: right - left, height: line.to - line.from };

  const reason = misplaced(box, plane) ?? unevenness(plane, inner, box, background);
  if (reason !== null) return { reason };
  return { box, parts: partsOf(columns, box), background, ink };
}

function innerOf({ width, height }: Plane): Box {
  const x = Math.round(width * MARGIN);
  const y = Math.round(height * MARGIN);
  return { x, y, width: width - 2 * x, height: height - 2 * y };
}

/** Background: the lower third of the middle. Ink: the level that only a few pixels of the middle exceed. */
function levelsOf({ width, height, grey }: Plane): { background: number; ink: number } {
  const counts = new Uint32Array(256);
  let pixels = 0;
  for (let y = Math.floor(height * 0.2); y < height * 0.8; y++)
    for (let x = Math.floor(width * 0.35); x < width * 0.65; x++) {
      const level = grey[y * width + x] ?? 0;
      counts[level] = (counts[level] ?? 0) + 1;
      pixels++;
    }
  let background = 0;
  for (let below = counts[0] ?? 0; below < pixels / 3 && background < 255; )
    below += counts[++background] ?? 0;
  let ink = 255;
  for (let above = counts[255] ?? 0; above < pixels * 0.0003 && ink > 0; )
    above += counts[--ink] ?? 0;
  return { background, ink };
}

interface Span {
  from: number;
  /** Exclusive. */
  to: number;
  ink: number;
}

const NO_SPAN: Span = { from: 0, to: 0, ink: 0 };

/** Runs without a gap along one axis, with the amount of ink of each. */
function spans(from: number, to: number, inkAt: (at: number) => number): Span[] {
  const found: Span[] = [];
  let open: Span | undefined;
  for (let at = from; at < to; at++) {
    const ink = inkAt(at);
    if (ink === 0) {
      open = undefined;
      continue;
    }
    if (open === undefined) {
      open = { from: at, to: at, ink: 0 };
      found.push(open);
    }
    open.to = at + 1;
    open.ink += ink;
  }
  return found;
}

function misplaced(box: Box, { width, height }: Plane): string | null {
  const off = {
    x: Math.abs(box.x + box.width / 2 - width / 2) / width,
    y: Math.abs(box.y + box.height / 2 - height / 2) / height,
  };
  if (off.x > 0.08 || off.y > 0.12) return "text not centred";
  if (box.height > height * 0.35 || box.height < height * 0.02) return "text of another size";
  if (box.width < box.height * 1.2 || box.width > box.height * 8) return "text of another length";
  return null;
}

/** Bars next to a card may be darker than it. Anything lighter, or dark in more than one shade, is a scene. */
function unevenness(plane: Plane, inner: Box, words: Box, background: number): string | null {
  const means: number[] = [];
  let lightest = 0;
  const pad = words.height * 0.4;
  for (let j = 0; j < BLOCKS.y; j++)
    for (let i = 0; i < BLOCKS.x; i++) {
      const x0 = Math.floor(inner.x + (i * inner.width) / BLOCKS.x);
      const x1 = Math.floor(inner.x + ((i + 1) * inner.width) / BLOCKS.x);
      const y0 = Math.floor(inner.y + (j * inner.height) / BLOCKS.y);
      const y1 = Math.floor(inner.y + ((j + 1) * inner.height) / BLOCKS.y);
      const apart =
        x1 < words.x - pad ||
        x0 > words.x + words.width + pad ||
        y1 < words.y - pad ||
        y0 > words.y + words.height + pad;
      if (!apart) continue;
      const mean = meanOf(plane, x0, y0, x1, y1);
      means.push(mean);
      if (
        Math.abs((i + 0.5) / BLOCKS.x - 0.5) < 0.25 &&
        Math.abs((j + 0.5) / BLOCKS.y - 0.5) < 0.25
      )
        lightest = Math.max(lightest, mean);
    }
  const sorted = means.toSorted((a, b) => a - b);
  const share = (part: number) => sorted[Math.floor((sorted.length - 1) * part)] ?? background;
  const same = means.filter((mean) => Math.abs(mean - background) <= FLAT);
  const darker = means.filter((mean) => mean < background - FLAT);
  if (share(0.97) > background + FLAT || lightest > background + OBJECT)
    return "a picture behind the text";
  if (darker.length > 0 && Math.max(...darker) - Math.min(...darker) > background)
    return "a picture behind the text";
  if (same.length < means.length * 0.15) return "a picture behind the text";
  return null;
}

function meanOf({ width, grey }: Plane, x0: number, y0: number, x1: number, y1: number): number {
  let sum = 0;
  for (let y = y0; y < y1; y++) for (let x = x0; x < x1; x++) sum += grey[y * width + x] ?? 0;
  return sum / Math.max(1, (x1 - x0) * (y1 - y0));
}

function partsOf(columns: readonly Span[], box: Box): CentredLine["parts"] {
  let widest = 0;
  let at = 0;
  for (let i = 1; i < columns.length; i++) {
    const gap = (columns[i]?.from ?? 0) - (columns[i - 1]?.to ?? 0);
    if (gap > widest) {
      widest = gap;
      at = i;
    }
  }
  if (at === 0) return null;
  const end = columns[at - 1]?.to ?? 0;
  const start = columns[at]?.from ?? 0;
  return {
    word: { ...box, width: end - box.x },
    number: { ...box, x: start, width: box.x + box.width - start },
  };
}

/**
 * Returns an area of the frame as black on white, `height` pixels high, with a white margin: the input that tesseract
 * reads best.
 */
export async function forReading(
  plane: Plane,
  { background, ink }: CentredLine,
  box: Box,
  height: number,
): Promise<Buffer> {
  const pad = Math.round(box.height * 0.4);
  const width = box.width + 2 * pad;
  const rows = box.height + 2 * pad;
  const page = Buffer.alloc(width * rows, 255);
  for (let y = 0; y < box.height; y++)
    for (let x = 0; x < box.width; x++) {
      const level = plane.grey[(box.y + y) * plane.width + box.x + x] ?? background;
      const share = Math.min(1, Math.max(0, (level - background) / (ink - background)));
      page[(y + pad) * width + x + pad] = Math.round(255 * (1 - share));
    }
  const scale = height / box.height;
  return sharp(page, { raw: { width, height: rows, channels: 1 } })
    .resize(Math.round(width * scale), Math.round(rows * scale), { fit: "fill" })
    .png({ compressionLevel: 1 })
    .toBuffer();
}
