import { free, type Plane } from "./plane.ts";

/** Doubles the size of a plane by cubic interpolation. Pixels beyond the border equal the nearest one of the border. */
export function enlarge({ pixels, width, height }: Plane): Plane {
  const wide = 2 * width;
  // Not clamped: values beyond black and white count for the rows between.
  const rows = new Int16Array(wide * height);
  for (let y = 0; y < height; y++)
    widen(pixels.subarray(y * width, (y + 1) * width), rows.subarray(y * wide, (y + 1) * wide));
  const enlarged = new Uint8ClampedArray(2 * wide * height);
  const rowAt = (y: number) => {
    const from = Math.min(height - 1, Math.max(0, y)) * wide;
    return rows.subarray(from, from + wide);
  };
  for (let y = 0; y < height; y++) {
    const at = 2 * y * wide;
    const above = enlarged.subarray(at, at + wide);
    blend(rowAt(y - 2), rowAt(y - 1), rowAt(y), rowAt(y + 1), above);
    enlarged.set(rowAt(y), at + wide);
  }
  free(rows);
  return { pixels: new Uint8Array(enlarged.buffer), width: wide, height: 2 * height };
}

/** Writes each pixel of a row after the level between it and the pixel before. */
function widen(row: Uint8Array, to: Int16Array): void {
  const last = row.length - 1;
  let here = row[0] ?? 0;
  let before = here;
  let earlier = here;
  for (let x = 0; x <= last; x++) {
    const next = row[x < last ? x + 1 : last] ?? 0;
    to[2 * x] = between(earlier, before, here, next);
    to[2 * x + 1] = here;
    earlier = before;
    before = here;
    here = next;
  }
}

function blend(
  a: Int16Array,
  b: Int16Array,
  c: Int16Array,
  d: Int16Array,
  to: Uint8ClampedArray,
): void {
  for (let x = 0; x < to.length; x++) to[x] = between(a[x] ?? 0, b[x] ?? 0, c[x] ?? 0, d[x] ?? 0);
}

/** The level halfway between `b` and `c` on the Catmull-Rom curve through four neighbours. */
function between(a: number, b: number, c: number, d: number): number {
  return (9 * (b + c) - a - d + 8) >> 4;
}
