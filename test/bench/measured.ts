import { readFileSync } from "node:fs";

export interface Measured {
  name: string;
  value: number;
  unit: string;
  bar: string;
  ok: boolean;
}

export const below = (name: string, value: number, unit: string, most: number): Measured => ({
  name,
  value,
  unit,
  bar: `at most ${Number(most.toPrecision(3))}`,
  ok: value <= most,
});

/** A figure without a limit. */
export const told = (name: string, value: number, unit: string): Measured => ({
  ...{ name, value, unit },
  ...{ bar: "none", ok: true },
});

/** Seconds. */
export async function timed(work: () => Promise<unknown>): Promise<number> {
  const began = performance.now();
  await work();
  return (performance.now() - began) / 1000;
}

export function median(values: readonly number[]): number {
  return values.toSorted((a, b) => a - b)[values.length >> 1] ?? Number.NaN;
}

/** Seconds of CPU of this process and of the processes that ended in it; elapsed seconds without `/proc`. */
export async function cpuOf(work: () => Promise<unknown>): Promise<number> {
  const before = cpuSoFar();
  const elapsed = await timed(work);
  return before === null ? elapsed : (cpuSoFar() ?? 0) - before;
}

/** Clock ticks per second in `/proc`, on every Linux that Node supports. */
const TICKS = 100;

function cpuSoFar(): number | null {
  try {
    const fields = readFileSync("/proc/self/stat", "latin1").split(") ").at(-1)?.split(" ") ?? [];
    return fields.slice(11, 15).reduce((sum, field) => sum + Number(field), 0) / TICKS;
  } catch {
    return null;
  }
}
