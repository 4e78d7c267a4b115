import { free, type Plane } from "./plane.ts";

/** Rows that are computed together. The counts of the pixels that their windows share are kept once. */
const ROWS = 5;
const LEVELS = 256;

/*
 * Short functions that are called often: a long loop runs slowly until its function is called again.
 */

/**
 * The median of the square of `window` pixels (an odd number) around each pixel. Pixels beyond the border equal the
 * nearest one of the border.
 */
export function medianOf(plane: Plane, window: number): Uint8Array {
  const { width, height } = plane;
  const medians = new Uint8Array(width * height);
  const together = Math.min(ROWS, window);
  const pixels = withBorder(plane, window >> 1);
  const windows = new SlidingWindows(pixels, width, window, together);
  for (let top = 0; top < height; top += together)
    windows.slide(top, Math.min(together, height - top), medians);
  free(pixels);
  return medians;
}

/**
 * The windows of a few rows, one above the other, which slide to the right. Each keeps its own counts only for the
 * pixels that the others do not contain, and the number of pixels below a level from which its median is a few steps
 * away.
 */
class SlidingWindows {
  readonly #pixels: Uint8Array;
  readonly #width: number;
  readonly #window: number;
  readonly #stride: number;
  readonly #shared = new Int32Array(LEVELS);
  readonly #own: Int32Array[];
  /** Pixels below the level: of each window's own, then the shared ones. */
  readonly #below: Int32Array;
  #level = 0;

  /** `pixels` are those of a plane with a border. */
  constructor(pixels: Uint8Array, width: number, window: number, most: number) {
    this.#pixels = pixels;
    this.#width = width;
    this.#window = window;
    this.#stride = width + window - 1;
    this.#own = Array.from({ length: most }, () => new Int32Array(LEVELS));
    this.#below = new Int32Array(most + 1);
  }

  /** Writes the medians of `rows` rows from `top` on. */
  slide(top: number, rows: number, medians: Uint8Array): void {
    this.#begin(top, rows);
    const width = this.#width;
    for (let x = 0; x < width; x++) {
      if (x > 0) this.#step(top, rows, x - 1);
      for (let row = 0; row < rows; row++) medians[(top + row) * width + x] = this.#median(row);
      this.#moveLevel(medians[(top + (rows >> 1)) * width + x] ?? 0, rows);
    }
  }

  #begin(top: number, rows: number): void {
    this.#level = 0;
    this.#below.fill(0);
    this.#shared.fill(0);
    const from = (top + rows - 1) * this.#stride;
    const to = (top + this.#window) * this.#stride;
    this.#count(this.#shared, from, to);
    for (const [row, own] of this.#own.entries()) {
      own.fill(0);
      if (row >= rows) continue;
      this.#count(own, (top + row) * this.#stride, from);
      this.#count(own, to, to + row * this.#stride);
    }
  }

  /** Counts the pixels of the leftmost window in the rows that begin at `from` to before `to`. */
  #count(counts: Int32Array, from: number, to: number): void {
    for (let row = from; row < to; row += this.#stride)
      for (let at = row; at < row + this.#window; at++) {
        const level = this.#pixels[at] ?? 0;
        counts[level] = (counts[level] ?? 0) + 1;
      }
  }

  /** Moves the windows from column `x` to the next. */
  #step(top: number, rows: number, x: number): void {
    const stride = this.#stride;
    const from = (top + rows - 1) * stride + x;
    const to = (top + this.#window) * stride + x;
    const below = this.#below;
    const shared = this.#own.length;
    below[shared] = (below[shared] ?? 0) + this.#replace(this.#shared, from, to);
    for (let row = 0; row < rows; row++) {
      const own = this.#own[row];
      if (own === undefined) return;
      const above = this.#replace(own, (top + row) * stride + x, from);
      below[row] = (below[row] ?? 0) + above + this.#replace(own, to, to + row * stride);
    }
  }

  /** Counts the pixels that come in instead of those that leave. Returns how many more are below the level. */
  #replace(counts: Int32Array, from: number, to: number): number {
    const pixels = this.#pixels;
    const window = this.#window;
    const stride = this.#stride;
    const level = this.#level;
    let more = 0;
    for (let at = from; at < to; at += stride) {
      const gone = pixels[at] ?? 0;
      const come = pixels[at + window] ?? 0;
      counts[gone] = (counts[gone] ?? 0) - 1;
      counts[come] = (counts[come] ?? 0) + 1;
      if (gone < level) more--;
      if (come < level) more++;
    }
    return more;
  }

  #median(row: number): number {
    const shared = this.#shared;
    const own = this.#own[row] ?? shared;
    const half = (this.#window * this.#window) >> 1;
    let median = this.#level;
    let below = (this.#below[this.#own.length] ?? 0) + (this.#below[row] ?? 0);
    while (below > half) {
      median--;
      below -= (shared[median] ?? 0) + (own[median] ?? 0);
    }
    for (;;) {
      below += (shared[median] ?? 0) + (own[median] ?? 0);
      if (below > half) return median;
      median++;
    }
  }

  #moveLevel(to: number, rows: number): void {
    for (; this.#level < to; this.#level++) this.#passLevel(rows, 1);
    while (this.#level > to) {
      this.#level--;
      this.#passLevel(rows, -1);
    }
  }

  #passLevel(rows: number, sign: 1 | -1): void {
    const below = this.#below;
    const shared = this.#own.length;
    const level = this.#level;
    below[shared] = (below[shared] ?? 0) + sign * (this.#shared[level] ?? 0);
    for (let row = 0; row < rows; row++)
      below[row] = (below[row] ?? 0) + sign * (this.#own[row]?.[level] ?? 0);
  }
}

/** The pixels of a plane with `radius` more on each side, copied from its border. */
function withBorder({ pixels, width, height }: Plane, radius: number): Uint8Array {
  const stride = width + 2 * radius;
  const padded = new Uint8Array(stride * (height + 2 * radius));
  for (let row = 0; row < height + 2 * radius; row++) {
    const from = Math.min(height - 1, Math.max(0, row - radius)) * width;
    const at = row * stride;
    padded.fill(pixels[from] ?? 0, at, at + radius);
    padded.set(pixels.subarray(from, from + width), at + radius);
    padded.fill(pixels[from + width - 1] ?? 0, at + radius + width, at + stride);
  }
  return padded;
}
