import { type Scan, signatureAt } from "../../src/media/scan.ts";

/** Seconds between compared pictures. */
export const STEP_S = 0.2;
/** Grey levels by which a cell may differ in a still picture because of compression. */
export const QUIET = 4;
/**
 * Share of the surrounding seconds with movement from which a cell is restless, such as that of a speaker next to the
 * slide.
 */
const RESTLESS = 0.5;
export const RESTLESS_SPAN_S = 10;

/**
 * For blocks of time, the cells that move in too many of the surrounding seconds to distinguish pictures: a speaker
 * moves constantly, an animation in bursts.
 */
export function findRestless(scan: Scan, samples: number[]) {
  const cells = scan.width * scan.height;
  const second = Math.round(1 / STEP_S);
  const movedIn = (index: number) => {
    const from = Math.max(0, index * second - 1);
    return movedCells(scan, samples.slice(from, (index + 1) * second));
  };
  const block = RESTLESS_SPAN_S * second;
  const blocks = Math.max(1, Math.ceil(samples.length / block));
  const last = Math.floor(Math.max(0, samples.length - 1) / second);
  // Those of the whole film would take 80 MB in ten hours.
  const seconds = new Map<number, Uint8Array>();
  const masks = Array.from({ length: blocks }, (_, index) => {
    const from = Math.max(0, index - 1) * RESTLESS_SPAN_S;
    const to = Math.min(last + 1, (index + 2) * RESTLESS_SPAN_S);
    for (const known of seconds.keys()) if (known < from) seconds.delete(known);
    for (let at = from; at < to; at++) if (!seconds.has(at)) seconds.set(at, movedIn(at));
    const around = [...seconds.values()];
    const moved = new Uint16Array(cells);
    for (const one of around)
      for (let cell = 0; cell < cells; cell++) moved[cell] = (moved[cell] ?? 0) + (one[cell] ?? 0);
    // In a very short film, cells that move all the time are restless.
    const often = Math.max(Math.min(3, around.length - 1), around.length * RESTLESS);
    return withNeighbours(moved, often, scan);
  });
  const shares = masks.map((mask) => mask.reduce((sum, cell) => sum + cell, 0) / cells);
  const blockOf = (sample: number) => Math.min(blocks - 1, Math.floor(sample / block));
  const at = (sample: number) => masks[blockOf(sample)] ?? new Uint8Array(cells);
  /** Of these cells, those that move between two samples, and their neighbours. The others show what stays. */
  const within = (first: number, last: number) => {
    const moved = movedCells(scan, samples.slice(first, last + 1));
    const often = at(Math.max(first, last - 1)).map((cell, i) => (cell ? 1 + (moved[i] ?? 0) : 0));
    return withNeighbours(often, 1, scan);
  };
  return {
    at,
    within,
    share: (sample: number) => shares[blockOf(sample)] ?? 0,
  };
}

/** The cells that differ between successive ones of these frames, 1 each. */
function movedCells(scan: Scan, frames: readonly number[]): Uint8Array {
  const moved = new Uint8Array(scan.width * scan.height);
  for (let i = 1; i < frames.length; i++) {
    const a = signatureAt(scan, frames[i - 1] ?? 0);
    const b = signatureAt(scan, frames[i] ?? 0);
    for (let cell = 0; cell < moved.length; cell++)
      if (Math.abs((a[cell] ?? 0) - (b[cell] ?? 0)) > QUIET) moved[cell] = 1;
  }
  return moved;
}

/**
 * Cells that moved more often than `often`, and cells within two of them that moved at all, such as the outline of a
 * speaker.
 */
function withNeighbours(
  moved: Uint8Array | Uint16Array,
  often: number,
  { width, height }: Scan,
): Uint8Array {
  const mask = new Uint8Array(moved.length);
  for (let y = 0; y < height; y++)
    for (let x = 0; x < width; x++) {
      if ((moved[y * width + x] ?? 0) <= often) continue;
      for (let v = Math.max(0, y - 2); v <= Math.min(height - 1, y + 2); v++)
        for (let u = Math.max(0, x - 2); u <= Math.min(width - 1, x + 2); u++)
          if (moved[v * width + u]) mask[v * width + u] = 1;
    }
  return mask;
}
