import { CODE } from "./pixel-kernels-code.ts";
import type { Plane } from "./plane.ts";

/** Functions of `pixel-kernels.as.ts`. Planes and scratch are addresses in `memory`. */
interface Kernels {
  memory: { buffer: ArrayBuffer; grow(pages: number): void };
  freeFrom(): number;
  scratchOfMedians(width: number, height: number, window: number): number;
  medians(
    from: number,
    width: number,
    height: number,
    window: number,
    to: number,
    scratch: number,
  ): void;
  countDifferences(
    pixels: number,
    width: number,
    rows: number,
    medians: number,
    reduced: number,
    part: number,
    counts: number,
  ): void;
  separate(
    pixels: number,
    width: number,
    rows: number,
    medians: number,
    reduced: number,
    part: number,
    contrast: number,
    background: number,
    dark: number,
    light: number,
  ): void;
  scratchOfEnlarge(width: number): number;
  enlarge(from: number, width: number, height: number, to: number, scratch: number): void;
}

let loaded: Kernels | undefined;

/** What the types of Node do not declare. */
const { WebAssembly } = globalThis as unknown as {
  WebAssembly: {
    Module: new (code: Uint8Array) => object;
    Instance: new (module: object) => { exports: unknown };
  };
};

/** Compiled at the first use: 4 KB. One memory serves all pictures, since no call waits for anything. */
function kernels(): Kernels {
  loaded ??= new WebAssembly.Instance(new WebAssembly.Module(Buffer.from(CODE, "base64")))
    .exports as Kernels;
  return loaded;
}

const PAGE = 2 ** 16;
/** A vector, in bytes: planes begin at multiples of it, and kernels may read and write one beyond the end of a plane. */
const VECTOR = 16;
/** Pixels of the largest window: its counts have 16 bits. */
export const MOST_WINDOW = 255;

/** Reserves parts of the memory of these sizes, in bytes. */
function reserve(sizes: readonly number[]): { bytes: Uint8Array; starts: number[] } {
  const { memory, freeFrom } = kernels();
  let end = freeFrom();
  const starts = sizes.map((size) => {
    const start = end;
    end = (Math.ceil(size / VECTOR) + 1) * VECTOR + start;
    return start;
  });
  const missing = end - memory.buffer.byteLength;
  if (missing > 0) memory.grow(Math.ceil(missing / PAGE));
  return { bytes: new Uint8Array(memory.buffer), starts };
}

/** Doubles the size of a plane by cubic interpolation. Pixels beyond the border equal the nearest one of the border. */
export function enlarge({ pixels, width, height }: Plane): Plane {
  const { enlarge, scratchOfEnlarge } = kernels();
  const size = width * height;
  const { bytes, starts } = reserve([size, 4 * size, scratchOfEnlarge(width)]);
  const [from = 0, to = 0, scratch = 0] = starts;
  bytes.set(pixels, from);
  enlarge(from, width, height, to, scratch);
  return { pixels: bytes.slice(to, to + 4 * size), width: 2 * width, height: 2 * height };
}

/**
 * The median of the square of `window` pixels (an odd number, at most `MOST_WINDOW`) around each pixel. Pixels beyond the border
 * equal the nearest one of the border.
 */
export function medianOf({ pixels, width, height }: Plane, window: number): Uint8Array {
  const { medians, scratchOfMedians } = kernels();
  const size = width * height;
  const { bytes, starts } = reserve([size, size, scratchOfMedians(width, height, window)]);
  const [from = 0, to = 0, scratch = 0] = starts;
  bytes.set(pixels, from);
  medians(from, width, height, window, to, scratch);
  return bytes.slice(to, to + size);
}

/** Ink of both signs: 1 for pixels that are darker, or lighter, than their background. */
export interface Separated {
  background: Uint8Array;
  /** Least difference from the background that counts as ink, in grey levels. */
  contrast: number;
  dark: Uint8Array;
  light: Uint8Array;
}

/** Rows that are computed together; a multiple of every `part`. */
const BAND = 64;
const LEVELS = 256;

/**
 * Separates ink from its background, of which `medians` has a pixel for every `part` columns and rows of the plane.
 * `contrastOf` chooses the contrast from the number of pixels for each difference from the background.
 */
export function separateInk(
  { pixels, width, height }: Plane,
  medians: { pixels: Uint8Array; width: number },
  part: number,
  contrastOf: (differences: Int32Array) => number,
): Separated {
  const { countDifferences, separate } = kernels();
  const band = BAND * width;
  const { bytes, starts } = reserve([medians.pixels.length, band, band, band, band, 8 * LEVELS]);
  const [reduced = 0, here = 0, behind = 0, darker = 0, lighter = 0, counts = 0] = starts;
  bytes.set(medians.pixels, reduced);
  bytes.fill(0, counts, counts + 8 * LEVELS);
  const eachBand = (work: (from: number, end: number, rows: number, medians: number) => void) => {
    for (let y = 0; y < height; y += BAND) {
      const rows = Math.min(BAND, height - y);
      const from = y * width;
      bytes.set(pixels.subarray(from, from + rows * width), here);
      work(from, rows * width, rows, reduced + (y / part) * medians.width);
    }
  };
  eachBand((_from, _size, rows, at) =>
    countDifferences(here, width, rows, at, medians.width, part, counts),
  );
  const tables = new Int32Array(bytes.buffer, counts, 2 * LEVELS);
  const differences = tables
    .slice(0, LEVELS)
    .map((count, level) => count + (tables[LEVELS + level] ?? 0));
  const contrast = contrastOf(differences);
  const background = new Uint8Array(width * height);
  const dark = new Uint8Array(width * height);
  const light = new Uint8Array(width * height);
  eachBand((from, size, rows, at) => {
    separate(here, width, rows, at, medians.width, part, contrast, behind, darker, lighter);
    background.set(bytes.subarray(behind, behind + size), from);
    dark.set(bytes.subarray(darker, darker + size), from);
    light.set(bytes.subarray(lighter, lighter + size), from);
  });
  return { background, contrast, dark, light };
}
