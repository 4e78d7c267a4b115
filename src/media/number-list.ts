import { setImmediate as nextTurn } from "node:timers/promises";

/*
 * Lists of millions of numbers, processed in blocks of a few milliseconds, so that the process stays responsive.
 */

/** Numbers processed between two turns of the event loop. */
const BLOCK = 2 ** 16;

/** A list that grows without copying, at 8 bytes per number. */
export interface NumberList {
  push(value: number): void;
  /** All numbers in insertion order. */
  toArray(): Float64Array;
}

export function createNumberList(): NumberList {
  const full: Float64Array[] = [];
  let last = new Float64Array(256);
  let used = 0;
  return {
    push(value) {
      if (used === last.length) {
        full.push(last);
        last = new Float64Array(Math.min(BLOCK, 2 * last.length));
        used = 0;
      }
      last[used++] = value;
    },
    toArray() {
      const blocks = [...full, last.subarray(0, used)];
      const all = new Float64Array(blocks.reduce((sum, block) => sum + block.length, 0));
      let at = 0;
      for (const block of blocks) {
        all.set(block, at);
        at += block.length;
      }
      return all;
    },
  };
}

/** Calls `work` for each index from 0 to `length` - 1, and lets other work go on between blocks. */
export async function forEachIndex(length: number, work: (index: number) => void): Promise<void> {
  for (let first = 0; first < length; first += BLOCK) {
    const end = Math.min(length, first + BLOCK);
    for (let i = first; i < end; i++) work(i);
    if (end < length) await nextTurn();
  }
}

/** Sorts the array in place (it must hold no NaN) and returns it. Merge sort; already sorted neighbours are not merged. */
export async function sortInBlocks(values: Float64Array): Promise<Float64Array> {
  const { length } = values;
  for (let first = 0; first < length; first += BLOCK) {
    values.subarray(first, first + BLOCK).sort();
    if (first + BLOCK < length) await nextTurn();
  }
  let merged: Float64Array | undefined;
  for (let width = BLOCK; width < length; width *= 2)
    for (let first = 0; first + width < length; first += 2 * width) {
      const middle = first + width;
      if ((values[middle - 1] ?? 0) <= (values[middle] ?? 0)) continue;
      const end = Math.min(length, middle + width);
      merged ??= new Float64Array(length);
      await merge(values, first, middle, end, merged);
    }
  return values;
}

async function merge(
  values: Float64Array,
  first: number,
  middle: number,
  end: number,
  merged: Float64Array,
): Promise<void> {
  let left = first;
  let right = middle;
  await forEachIndex(end - first, (i) => {
    const fromLeft = left < middle && (right >= end || (values[left] ?? 0) <= (values[right] ?? 0));
    merged[i] = values[fromLeft ? left++ : right++] ?? 0;
  });
  values.set(merged.subarray(0, end - first), first);
}

/** The unique numbers of a list in rising order. */
export async function sortUnique(list: NumberList): Promise<Float64Array> {
  const values = await sortInBlocks(list.toArray());
  let kept = 0;
  await forEachIndex(values.length, (i) => {
    const value = values[i] ?? 0;
    if (kept === 0 || value !== values[kept - 1]) values[kept++] = value;
  });
  return values.slice(0, kept);
}

/** Differences between neighbours; empty for fewer than two numbers. */
export async function gapsOf(values: Float64Array): Promise<Float64Array> {
  const gaps = new Float64Array(Math.max(0, values.length - 1));
  await forEachIndex(gaps.length, (i) => {
    gaps[i] = (values[i + 1] ?? 0) - (values[i] ?? 0);
  });
  return gaps;
}

/** The median (the upper one of two); 0 for an empty array. Does not change the array. */
export async function medianOf(values: Float64Array): Promise<number> {
  const sorted = await sortInBlocks(values.slice());
  return sorted[sorted.length >> 1] ?? 0;
}
