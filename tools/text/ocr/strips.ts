import type { Box } from "../../../src/core/shapes.ts";
import { sharp } from "../../../src/media/sharp.ts";
import { type Bounds, type Glyph, heightOf, type InkPage, widthOf } from "./glyphs.ts";
import { free, type Plane } from "./plane.ts";
import type { TextLine } from "./text-lines.ts";

/** A segment of a line to be read separately: all of it, or some of its glyphs. */
export interface Strip {
  line: TextLine;
  /** Glyphs to show; all others are left white. */
  glyphs: readonly Glyph[];
  /** Height in pixels that is scaled to the size that tesseract reads best. */
  size: number;
}

/** A white page with one strip per row, black on white, all letters of one size. */
export interface StripPage {
  plane: Plane;
  /** Whether a strip is a dark box, of which the letters may be cut out: white on black. */
  boxes: boolean;
  /** Returns the strip that contains a box of the page, and that box in pixels of the image. */
  locate(box: Box): { strip: number; box: Box } | undefined;
}

/** The x-height at which tesseract reads words best, in pixels. */
export const LETTER = 26;
/** Heights at which tesseract reads a few characters that do not form a word better, as in an equation. */
export const MIDDLE_LETTER = 40;
export const LARGE_LETTER = 56;
const MARGIN = 40;
const GAP = 24;
const MAX_WIDTH = 4000;

/** Size of the page of `renderStrips`, in pixels. */
export function stripPageSize(
  page: InkPage,
  strips: readonly Strip[],
  letter = LETTER,
): { width: number; height: number } {
  const places = strips.map((strip) => placeOf(page, strip, letter));
  return pageSize(places);
}

function pageSize(rows: readonly { width: number; height: number }[]) {
  return {
    width: rows.reduce((most, row) => Math.max(most, row.width), 1) + 2 * MARGIN,
    height: rows.reduce((sum, row) => sum + row.height + GAP, MARGIN),
  };
}

/** `letter` is the height in pixels to which the `size` of each strip is scaled. */
export async function renderStrips(
  page: InkPage,
  strips: readonly Strip[],
  letter = LETTER,
): Promise<StripPage> {
  const rows = await Promise.all(strips.map((strip) => renderStrip(page, strip, letter)));
  const { width, height } = pageSize(rows);
  const pixels = new Uint8Array(width * height).fill(255);
  const tops: number[] = [];
  let top = MARGIN - GAP / 2;
  for (const row of rows) {
    tops.push(top);
    for (let y = 0; y < row.height; y++)
      pixels.set(
        row.pixels.subarray(y * row.width, (y + 1) * row.width),
        (top + y) * width + MARGIN,
      );
    top += row.height + GAP;
  }
  const boxes = rows.some(isBox);
  free(...rows.map((row) => row.pixels));
  return {
    plane: { pixels, width, height },
    boxes,
    locate(box) {
      const middle = box.y + box.height / 2;
      const strip = tops.findIndex(
        (from, index) =>
          middle >= from - GAP / 2 && middle < from + (rows[index]?.height ?? 0) + GAP / 2,
      );
      const row = rows[strip];
      if (row === undefined) return undefined;
      return {
        strip,
        box: {
          x: Math.max(0, row.x + (box.x - MARGIN) / row.scale),
          y: Math.max(0, row.y + (box.y - (tops[strip] ?? 0)) / row.scale),
          width: box.width / row.scale,
          height: box.height / row.scale,
        },
      };
    },
  };
}

interface Row {
  pixels: Uint8Array;
  width: number;
  height: number;
  /** Left and top of the strip in the image, and pixels of the page per pixel of the image. */
  x: number;
  y: number;
  scale: number;
}

/** Share of ink from which a strip is a box. In 550 strips of letters it was 0.06 to 0.4, the median 0.17. */
const BOX = 0.5;

function isBox({ pixels }: Row): boolean {
  let ink = 0;
  for (const pixel of pixels) ink += 255 - pixel;
  return ink >= pixels.length * 255 * BOX;
}

/** The part of the image that a strip shows, and its size on the page in pixels. */
function placeOf(
  { plane }: InkPage,
  { glyphs, size }: Strip,
  letter: number,
): { bounds: Bounds; scale: number; width: number; height: number } {
  const pad = Math.max(2, Math.round(size * 0.25));
  const bounds = {
    x0: Math.max(0, Math.min(...glyphs.map((glyph) => glyph.x0)) - pad),
    y0: Math.max(0, Math.min(...glyphs.map((glyph) => glyph.y0)) - pad),
    x1: Math.min(plane.width - 1, Math.max(...glyphs.map((glyph) => glyph.x1)) + pad),
    y1: Math.min(plane.height - 1, Math.max(...glyphs.map((glyph) => glyph.y1)) + pad),
  };
  const scale = Math.min(5, letter / Math.max(1, size), MAX_WIDTH / widthOf(bounds));
  const scaled = (pixels: number) => Math.max(1, Math.round(pixels * scale));
  return { bounds, scale, width: scaled(widthOf(bounds)), height: scaled(heightOf(bounds)) };
}

async function renderStrip(page: InkPage, strip: Strip, letter: number): Promise<Row> {
  const { bounds, scale, width, height } = placeOf(page, strip, letter);
  const ink = inkOf(page, strip, bounds);
  const given = { width: widthOf(bounds), height: heightOf(bounds) };
  const { data, info } = await sharp(ink, { raw: { ...given, channels: 1 } })
    .resize(width, height, { fit: "fill", kernel: "cubic" })
    .toColourspace("b-w")
    .raw()
    .toBuffer({ resolveWithObject: true });
  free(ink);
  return {
    pixels: data,
    width: info.width,
    height: info.height,
    x: bounds.x0,
    y: bounds.y0,
    scale,
  };
}

/** The pixels of the strip as black ink on white: differences from the background, stretched to the full range. */
function inkOf(page: InkPage, strip: Strip, bounds: Bounds): Uint8Array {
  const { plane } = page;
  const { sign, mask, background, contrast } = strip.line.ink;
  const width = widthOf(bounds);
  const depth = new Int16Array(width * heightOf(bounds));
  const deep = new Uint32Array(256);
  let inked = 0;
  const shown = new Set(strip.glyphs);
  const hidden = strip.line.glyphs.filter((glyph) => !shown.has(glyph));
  for (let y = bounds.y0; y <= bounds.y1; y++)
    for (let x = bounds.x0; x <= bounds.x1; x++) {
      const at = y * plane.width + x;
      if (mask[at] === 2) continue;
      const difference = ((background[at] ?? 0) - (plane.pixels[at] ?? 0)) * sign;
      depth[(y - bounds.y0) * width + x - bounds.x0] = difference;
      if (difference <= contrast) continue;
      deep[Math.min(255, difference)] = (deep[Math.min(255, difference)] ?? 0) + 1;
      inked++;
    }
  let full = 255;
  for (let above = deep[255] ?? 0; above < inked * 0.5 && full > contrast; ) {
    full--;
    above += deep[full] ?? 0;
  }
  const paper = contrast / 4;
  const pixels = new Uint8Array(depth.length);
  for (let i = 0; i < depth.length; i++) {
    const share = ((depth[i] ?? 0) - paper) / Math.max(1, full - paper);
    pixels[i] = 255 - Math.round(255 * Math.max(0, Math.min(1, share)));
  }
  free(depth);
  for (const glyph of hidden)
    for (let y = Math.max(glyph.y0 - 1, bounds.y0); y <= Math.min(glyph.y1 + 1, bounds.y1); y++)
      for (let x = Math.max(glyph.x0 - 1, bounds.x0); x <= Math.min(glyph.x1 + 1, bounds.x1); x++)
        pixels[(y - bounds.y0) * width + x - bounds.x0] = 255;
  return pixels;
}
