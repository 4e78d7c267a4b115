import type { Plane } from "./plane.ts";

/** Rows that are computed together. The counts of the pixels that their windows share are kept once. */
const ROWS = 5;
const LEVELS = 256;

/**
 * The median of the square of `window` pixels (an odd number) around each pixel. Pixels beyond the border equal the
 * nearest one of the border.
 *
 * Windows slide along `ROWS` rows at a time. Each keeps its own counts only for the few pixels that the others do not
 * contain, and the number of pixels below a level that they share, from which the median of each is a few steps away.
 */
export function medianOf({ pixels, width, height }: Plane, window: number): Uint8Array {
  const radius = window >> 1;
  const half = (window * window) >> 1;
  const stride = width + 2 * radius;
  const padded = withBorder({ pixels, width, height }, radius);
  const medians = new Uint8Array(width * height);
  const shared = new Int32Array(LEVELS);
  const own = new Int32Array(ROWS * LEVELS);
  const ownBelow = new Int32Array(ROWS);
  const together = Math.min(ROWS, window);
  for (let top = 0; top < height; top += together) {
    const rows = Math.min(together, height - top);
    // The first pixels of the rows that all windows share, and of the row below them.
    const from = (top + rows - 1) * stride;
    const to = (top + window) * stride;
    shared.fill(0);
    count(shared, 0, padded, from, to, stride, window);
    own.fill(0);
    for (let row = 0; row < rows; row++) {
      count(own, row * LEVELS, padded, (top + row) * stride, from, stride, window);
      count(own, row * LEVELS, padded, to, to + row * stride, stride, window);
    }
    let level = 0;
    let sharedBelow = 0;
    ownBelow.fill(0);
    for (let x = 0; x < width; x++) {
      if (x > 0) {
        const left = x - 1;
        for (let at = from + left; at < to + left; at += stride) {
          const gone = padded[at] ?? 0;
          const come = padded[at + window] ?? 0;
          shared[gone] = (shared[gone] ?? 0) - 1;
          shared[come] = (shared[come] ?? 0) + 1;
          if (gone < level) sharedBelow--;
          if (come < level) sharedBelow++;
        }
        for (let row = 0; row < rows; row++) {
          const counts = row * LEVELS;
          let below = ownBelow[row] ?? 0;
          // The pixels of this row's window above the shared ones, then those below.
          for (let at = (top + row) * stride + left, end = to + row * stride + left; at < end; ) {
            if (at === from + left) at = to + left;
            if (at >= end) break;
            const gone = padded[at] ?? 0;
            const come = padded[at + window] ?? 0;
            own[counts + gone] = (own[counts + gone] ?? 0) - 1;
            own[counts + come] = (own[counts + come] ?? 0) + 1;
            if (gone < level) below--;
            if (come < level) below++;
            at += stride;
          }
          ownBelow[row] = below;
        }
      }
      for (let row = 0; row < rows; row++) {
        const counts = row * LEVELS;
        let median = level;
        let below = sharedBelow + (ownBelow[row] ?? 0);
        while (below > half) {
          median--;
          below -= (shared[median] ?? 0) + (own[counts + median] ?? 0);
        }
        for (;;) {
          const here = (shared[median] ?? 0) + (own[counts + median] ?? 0);
          if (below + here > half) break;
          below += here;
          median++;
        }
        medians[(top + row) * width + x] = median;
      }
      const middle = medians[(top + (rows >> 1)) * width + x] ?? 0;
      for (; level < middle; level++) {
        sharedBelow += shared[level] ?? 0;
        for (let row = 0; row < rows; row++)
          ownBelow[row] = (ownBelow[row] ?? 0) + (own[row * LEVELS + level] ?? 0);
      }
      while (level > middle) {
        level--;
        sharedBelow -= shared[level] ?? 0;
        for (let row = 0; row < rows; row++)
          ownBelow[row] = (ownBelow[row] ?? 0) - (own[row * LEVELS + level] ?? 0);
      }
    }
  }
  return medians;
}

/** Counts the first `length` pixels of the rows from `from` to before `to` into the levels at `offset`. */
function count(
  counts: Int32Array,
  offset: number,
  pixels: Uint8Array,
  from: number,
  to: number,
  stride: number,
  length: number,
): void {
  for (let row = from; row < to; row += stride)
    for (let at = row; at < row + length; at++) {
      const level = offset + (pixels[at] ?? 0);
      counts[level] = (counts[level] ?? 0) + 1;
    }
}

/** The plane with `radius` more pixels on each side, copied from its border. */
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
