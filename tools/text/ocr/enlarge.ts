import type { Plane } from "./plane.ts";

/** Doubles the size of a plane by cubic interpolation. Pixels beyond the border equal the nearest one of the border. */
export function enlarge({ pixels, width, height }: Plane): Plane {
  const wide = 2 * width;
  // Not clamped: values beyond black and white count for the rows between.
  const rows = new Int16Array(wide * height);
  for (let y = 0; y < height; y++) {
    const last = (y + 1) * width - 1;
    let at = y * wide;
    let here = pixels[y * width] ?? 0;
    let before = here;
    let earlier = here;
    for (let x = y * width; x <= last; x++) {
      const next = pixels[x < last ? x + 1 : last] ?? 0;
      rows[at] = between(earlier, before, here, next);
      rows[at + 1] = here;
      at += 2;
      earlier = before;
      before = here;
      here = next;
    }
  }
  const enlarged = new Uint8ClampedArray(2 * wide * height);
  const rowAt = (y: number) => Math.min(height - 1, Math.max(0, y)) * wide;
  for (let y = 0; y < height; y++) {
    const [earlier, before, here, next] = [rowAt(y - 2), rowAt(y - 1), rowAt(y), rowAt(y + 1)];
    const at = 2 * y * wide;
    for (let x = 0; x < wide; x++) {
      const level = rows[here + x] ?? 0;
      enlarged[at + x] = between(
        rows[earlier + x] ?? 0,
        rows[before + x] ?? 0,
        level,
        rows[next + x] ?? 0,
      );
      enlarged[at + wide + x] = level;
    }
  }
  return { pixels: new Uint8Array(enlarged.buffer), width: wide, height: 2 * height };
}

/** The level halfway between `b` and `c` on the Catmull-Rom curve through four neighbours. */
function between(a: number, b: number, c: number, d: number): number {
  return (9 * (b + c) - a - d + 8) >> 4;
}
