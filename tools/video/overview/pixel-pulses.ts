import { chromaAt, type Scan, signatureAt } from "../../../src/media/scan.ts";

/*
 * Finds what appears at once, stays still and disappears at once, with or without a cut: a sign, an insert, an object
 * held up. A cell of the scan's small pictures has a pulse where its grey level or its colour jumps, stays and jumps back.
 * Motion causes pulses too, but at different times in different cells; what appears and disappears causes them at the same
 * time.
 */

/** Shortest and longest pulse, in seconds. */
const SHORTEST_S = 0.7;
const LONGEST_S = 6;
/**
 * Least jump in levels, and the most that one cell adds: many changed cells count more than a few bright ones.
 */
const LEAST_JUMP = 7;
const MOST_JUMP = 24;
/** A cell of the colour planes covers four cells of the grey picture. */
const COLOUR_WEIGHT = 4;
/** Tolerance while a cell stays and after it returns: levels, and a share of the jump. */
const STRAY = 2;
const STRAY_SHARE = 0.25;

/** Indices into the given frames: from the first that shows it to the last. */
export interface Pulse {
  first: number;
  last: number;
  /** Levels, summed over the cells that share the pulse. */
  strength: number;
}

/** Returns the strongest pulse that begins at each frame, if any cell has one. `frames` are in order of time. */
export function findPulses(scan: Scan, frames: readonly number[]): Pulse[] {
  const timeAt = (place: number) => scan.pts_s[frames[place] ?? 0] ?? 0;
  const step = (timeAt(frames.length - 1) - timeAt(0)) / Math.max(1, frames.length - 1);
  if (!(step > 0)) return [];
  const shortest = Math.max(1, Math.round(SHORTEST_S / step));
  const longest = Math.max(shortest, Math.round(LONGEST_S / step));
  const strengths = new Float32Array(frames.length * (longest + 1));
  const addPulses = (pictures: readonly Uint8Array[], weight: number) => {
    for (let cell = 0; cell < (pictures[0]?.length ?? 0); cell++)
      for (let place = 1; place < pictures.length; place++) {
        const before = levelAt(pictures, place - 1, cell);
        const level = levelAt(pictures, place, cell);
        const jump = Math.abs(level - before);
        if (jump < LEAST_JUMP) continue;
        const stray = STRAY + jump * STRAY_SHARE;
        let end = place + 1;
        while (end < pictures.length && end - place <= longest) {
          if (Math.abs(levelAt(pictures, end, cell) - level) > stray) break;
          end++;
        }
        const length = end - place;
        const isBack =
          end < pictures.length && Math.abs(levelAt(pictures, end, cell) - before) <= stray;
        if (!isBack || length < shortest || length > longest) continue;
        const at = place * (longest + 1) + length;
        strengths[at] = (strengths[at] ?? 0) + weight * Math.min(jump, MOST_JUMP);
      }
  };
  addPulses(
    frames.map((frame) => signatureAt(scan, frame).slice()),
    1,
  );
  addPulses(
    frames.map((frame) => chromaAt(scan, frame).slice()),
    COLOUR_WEIGHT,
  );
  return frames.flatMap((_, first) => {
    const row = strengths.subarray(first * (longest + 1), (first + 1) * (longest + 1));
    const length = row.reduce((best, strength, i) => (strength > (row[best] ?? 0) ? i : best), 0);
    const strength = row[length] ?? 0;
    return strength > 0 ? [{ first, last: first + length - 1, strength }] : [];
  });
}

function levelAt(pictures: readonly Uint8Array[], place: number, cell: number): number {
  return pictures[place]?.[cell] ?? 0;
}
