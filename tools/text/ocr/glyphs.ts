import type { Box } from "../../../src/core/shapes.ts";
import { sharp } from "../../../src/media/sharp.ts";
import { markRules } from "./mark-rules.ts";
import { MOST_WINDOW, medianOf, type Separated, separateInk } from "./pixel-kernels.ts";
import { free, type Plane } from "./plane.ts";

/** Bounds in pixels, inclusive. */
export interface Bounds {
  x0: number;
  y0: number;
  x1: number;
  y1: number;
}

/** A connected component of ink. `area` is its number of pixels. */
export interface Glyph extends Bounds {
  area: number;
}

/** Pixels that differ from their surroundings in one direction: darker (`sign` 1) or lighter (-1). */
export interface Ink {
  sign: 1 | -1;
  glyphs: Glyph[];
  /** Long straight strokes (table rules, underlines, fraction bars), which are not glyphs. */
  rules: Glyph[];
  /** 1 for ink, 2 for ink of a rule; rows of `width`. */
  mask: Uint8Array;
  width: number;
  /** The background of each pixel. */
  background: Uint8Array;
  /** Least difference from the background that counts as ink, in grey levels. */
  contrast: number;
  /** Letter height in pixels from which strokes may be too thick for the finer inks; 0 for the finest. */
  from: number;
}

export interface InkPage {
  plane: Plane;
  inks: Ink[];
}

export const widthOf = (box: Bounds) => box.x1 - box.x0 + 1;
export const heightOf = (box: Bounds) => box.y1 - box.y0 + 1;

export function boxOf(bounds: Bounds): Box {
  return { x: bounds.x0, y: bounds.y0, width: widthOf(bounds), height: heightOf(bounds) };
}

/** Whether two boxes share more than 0.3 of the smaller one. */
export function boxesOverlap(a: Box, b: Box): boolean {
  const wide = Math.min(a.x + a.width, b.x + b.width) - Math.max(a.x, b.x);
  const high = Math.min(a.y + a.height, b.y + b.height) - Math.max(a.y, b.y);
  return (
    wide > 0 && high > 0 && wide * high > 0.3 * Math.min(a.width * a.height, b.width * b.height)
  );
}

/**
 * Separates ink from background by comparing each pixel with the median around it, which handles coloured table cells,
 * uneven light and light text on dark in the same way. Finds strokes up to half as thick as the window: a small window
 * for small text, a large one for the letters of a title.
 */
export async function findInk({ pixels, width, height }: Plane): Promise<InkPage> {
  // Loops over pixels are optimised for one type of array: a plain one, not a `Buffer`.
  const plane = { pixels: plainArray(pixels), width, height };
  const window = windowOf(Math.max(5, Math.round(Math.max(width, height) / 64)));
  const fine = inksOn(plane, await separated(plane, 2, window), 0);
  const from = window * 2.5;
  // Strokes that are too thick leave their outlines, which shows that something large is there.
  const large = fine.some((ink) => ink.glyphs.some((glyph) => heightOf(glyph) >= from));
  if (!large) return { plane, inks: fine };
  const wide = await separated(plane, 4, windowOf(Math.floor(window * 1.25)));
  return { plane, inks: [...fine, ...inksOn(plane, wide, from)] };
}

/** Pixels of a page for each of the letters that it can hold: 8 by 8 pixels, with the space around them. */
const LETTER_PIXELS = 64;

/**
 * Whether an ink of the page has more marks than a page has room for letters, as noise and fine textures have. The layout
 * analysis of tesseract takes minutes for these.
 */
export function isCrowded({ plane, inks }: InkPage): boolean {
  const most = (plane.width * plane.height) / LETTER_PIXELS;
  return inks.some(({ glyphs }) => glyphs.length > most);
}

/** The odd number of pixels at or above this one; less for pictures with a side of more than 13,000 pixels. */
const windowOf = (pixels: number) => Math.min(MOST_WINDOW, pixels | 1);

/** Frees the memory of a page's inks, which must not be used any more. */
export function freeInks({ inks }: InkPage): void {
  free(...inks.map((ink) => ink.mask), ...new Set(inks.map((ink) => ink.background)));
}

const plainArray = ({ buffer, byteOffset, length }: Uint8Array) =>
  new Uint8Array(buffer, byteOffset, length);

function inksOn({ width, height }: Plane, found: Separated, from: number): Ink[] {
  const { background, contrast } = found;
  return ([1, -1] as const).map((sign): Ink => {
    const mask = sign === 1 ? found.dark : found.light;
    markRules(mask, width, height);
    return {
      ...{ sign, mask, width, background, contrast, from },
      glyphs: components(mask, width, height, 1),
      rules: components(mask, width, height, 2),
    };
  });
}

/**
 * Separates ink from the median around each pixel, which is computed at reduced size: much faster, and accurate enough for
 * a smooth background.
 */
async function separated(plane: Plane, part: number, window: number): Promise<Separated> {
  const { pixels, width, height } = plane;
  const small = { width: Math.ceil(width / part), height: Math.ceil(height / part) };
  const reduced = await sharp(pixels, { raw: { width, height, channels: 1 } })
    .resize({ ...small, fit: "fill", kernel: "cubic" })
    .toColourspace("b-w")
    .raw()
    .toBuffer();
  const medians = { pixels: medianOf({ pixels: reduced, ...small }, window), width: small.width };
  const found = separateInk(plane, medians, part, (differences) =>
    inkContrast(differences, pixels.length),
  );
  free(reduced, medians.pixels);
  return found;
}

/**
 * A multiple of the usual difference from the background, which is the noise of paper, sensor or codec. `differences`
 * has the number of pixels for each difference.
 */
function inkContrast(differences: Int32Array, pixels: number): number {
  let usual = 0;
  for (let seen = differences[0] ?? 0; seen < pixels / 2 && usual < 255; ) {
    usual++;
    seen += differences[usual] ?? 0;
  }
  return Math.min(60, Math.max(20, usual * 5));
}

/** Finds the eight-connected components of the pixels with value `value`, by runs and union-find. */
export function components(
  mask: Uint8Array,
  width: number,
  height: number,
  value: number,
): Glyph[] {
  // The runs of the previous row and of this one: first pixel, last pixel, component.
  let above = new Int32Array(3 * (width + 1));
  let row = new Int32Array(3 * (width + 1));
  let runsAbove = 0;
  // A texture has tens of thousands of runs; an object for each would keep the garbage collector busy.
  const found = new ComponentTable();
  let next = mask.indexOf(value);
  for (let y = 0; y < height && (next >= 0 || runsAbove > 0); y++) {
    const line = y * width;
    let runs = 0;
    let skip = 0;
    for (; next >= 0 && next < line + width; next = mask.indexOf(value, next)) {
      const from = next - line;
      let x = from;
      while (x + 1 < width && mask[line + x + 1] === value) x++;
      while (skip < runsAbove && (above[3 * skip + 1] ?? 0) < from - 1) skip++;
      let id = -1;
      for (let k = skip; k < runsAbove && (above[3 * k] ?? 0) <= x + 1; k++) {
        const other = found.root(above[3 * k + 2] ?? 0);
        id = id === -1 || id === other ? other : found.join(id, other);
      }
      id = found.addRun(id, from, x, y);
      row[3 * runs] = from;
      row[3 * runs + 1] = x;
      row[3 * runs + 2] = id;
      runs++;
      next = line + x + 1;
    }
    [above, row] = [row, above];
    runsAbove = runs;
  }
  return found.glyphs();
}

/** Numbers of a component in the table: its parent, its bounds, and its area. */
const ENTRY = 6;

/** Components that grow and join, six numbers each. A component whose parent is itself is a root. */
class ComponentTable {
  #count = 0;
  #data = new Int32Array(ENTRY * 1024);

  root(id: number): number {
    let at = id;
    for (let up = this.#at(at, 0); up !== at; up = this.#at(at, 0)) at = up;
    return at;
  }

  /** Joins two roots and returns the one that remains: the earlier. */
  join(a: number, b: number): number {
    const [keep, drop] = a < b ? [a, b] : [b, a];
    const part = (number: number) => this.#at(drop, number);
    this.#extend(keep, part(1), part(2), part(3), part(4), part(5));
    this.#data[drop * ENTRY] = keep;
    return keep;
  }

  /** Adds a run of pixels to a root, or as a new component if that is -1. Returns the component. */
  addRun(id: number, x0: number, x1: number, y: number): number {
    if (id >= 0) {
      this.#extend(id, x0, y, x1, y, x1 - x0 + 1);
      return id;
    }
    if (this.#data.length < (this.#count + 1) * ENTRY) {
      const larger = new Int32Array(this.#data.length * 2);
      larger.set(this.#data);
      this.#data = larger;
    }
    this.#data.set([this.#count, x0, y, x1, y, x1 - x0 + 1], this.#count * ENTRY);
    return this.#count++;
  }

  /** The roots, in the order in which their first runs were added. */
  glyphs(): Glyph[] {
    const glyphs: Glyph[] = [];
    for (let id = 0; id < this.#count; id++)
      if (this.#at(id, 0) === id)
        glyphs.push({
          ...{ x0: this.#at(id, 1), y0: this.#at(id, 2), x1: this.#at(id, 3) },
          ...{ y1: this.#at(id, 4), area: this.#at(id, 5) },
        });
    return glyphs;
  }

  #extend(id: number, x0: number, y0: number, x1: number, y1: number, area: number): void {
    const data = this.#data;
    const at = id * ENTRY;
    if (x0 < (data[at + 1] ?? 0)) data[at + 1] = x0;
    if (y0 < (data[at + 2] ?? 0)) data[at + 2] = y0;
    if (x1 > (data[at + 3] ?? 0)) data[at + 3] = x1;
    if (y1 > (data[at + 4] ?? 0)) data[at + 4] = y1;
    data[at + 5] = (data[at + 5] ?? 0) + area;
  }

  #at(id: number, part: number): number {
    return this.#data[id * ENTRY + part] ?? 0;
  }
}

export function hull(boxes: readonly Bounds[]): Bounds {
  const bounds = { x0: Infinity, y0: Infinity, x1: -Infinity, y1: -Infinity };
  for (const box of boxes) {
    bounds.x0 = Math.min(bounds.x0, box.x0);
    bounds.y0 = Math.min(bounds.y0, box.y0);
    bounds.x1 = Math.max(bounds.x1, box.x1);
    bounds.y1 = Math.max(bounds.y1, box.y1);
  }
  return bounds;
}
