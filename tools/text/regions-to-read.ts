import type { Box } from "../../src/core/shapes.ts";
import { type Scan, signatureAt } from "../../src/media/scan.ts";
import type { ScreenState } from "./screen-states.ts";

/** Where a state must be read. The other lines are copied from the earlier state `base`. */
export interface ReadRegion {
  base?: number;
  /** Cells of the scan: 1 if the cell differs from the base, 0 if it does not or if it is restless. */
  cells: Uint8Array;
}

/** Grey levels by which a cell may differ from the base without being read again. */
const SAME = 3;
/** Largest share of changed cells for which a picture counts as an extension of an earlier one. */
const FILLED_UP = 0.5;
/** Number of earlier states that are tried as a base. */
const LOOK_BACK = 10;

/** Finds what a state adds to the earlier ones: every cell that is not restless, or what was added to a slide. */
export function regionToRead(
  scan: Scan,
  states: readonly ScreenState[],
  index: number,
): ReadRegion {
  const state = states[index];
  const size = scan.width * scan.height;
  const all = new Uint8Array(size).fill(1);
  if (state === undefined) return { cells: all };
  let best: ReadRegion = { cells: all.map((_, cell) => (state.restless[cell] ? 0 : 1)) };
  let least = size * FILLED_UP;
  for (let k = index - 1; state.calm && k >= Math.max(0, index - LOOK_BACK); k--) {
    const other = states[k];
    if (other === undefined || !other.calm) continue;
    const cells = changed(scan, state, other);
    const count = cells.reduce((sum, cell) => sum + cell, 0);
    if (count < least) {
      best = { base: k, cells };
      least = count;
    }
  }
  return best;
}

function changed(scan: Scan, state: ScreenState, other: ScreenState): Uint8Array {
  const picture = signatureAt(scan, state.read);
  const before = signatureAt(scan, other.read);
  return Uint8Array.from(picture, (level, cell) => {
    if (state.restless[cell]) return 0;
    return other.restless[cell] || Math.abs(level - (before[cell] ?? 0)) > SAME ? 1 : 0;
  });
}

/**
 * Returns the cells of the scan of which the box, in pixels of a frame of `size`, covers more than `share`; if there
 * are none, the cell at the middle of the box.
 */
export function cellsUnder(
  scan: Pick<Scan, "width" | "height">,
  box: Box,
  size: { width: number; height: number },
  share: number,
): number[] {
  const { width, height } = scan;
  const left = (box.x / size.width) * width;
  const right = ((box.x + box.width) / size.width) * width;
  const top = (box.y / size.height) * height;
  const bottom = ((box.y + box.height) / size.height) * height;
  const cells: number[] = [];
  for (let y = Math.floor(top); y < Math.min(height, bottom); y++)
    for (let x = Math.floor(left); x < Math.min(width, right); x++) {
      const wide = Math.min(x + 1, right) - Math.max(x, left);
      const high = Math.min(y + 1, bottom) - Math.max(y, top);
      if (wide * high > share) cells.push(y * width + x);
    }
  if (cells.length > 0) return cells;
  const x = Math.min(width - 1, Math.floor((left + right) / 2));
  const y = Math.min(height - 1, Math.floor((top + bottom) / 2));
  return [y * width + x];
}
