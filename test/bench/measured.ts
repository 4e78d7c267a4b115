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
  bar: `at most ${most}`,
  ok: value <= most,
});

/** Seconds. */
export async function timed(work: () => Promise<unknown>): Promise<number> {
  const began = performance.now();
  await work();
  return (performance.now() - began) / 1000;
}
