import { z } from "zod";
import { Curves } from "../../test/bench/curves/curve.ts";

const Figure = z.strictObject({
  name: z.string(),
  value: z.number(),
  unit: z.string(),
  bar: z.string(),
  ok: z.boolean(),
  /** Day of the measurement, as in 2026-01-31. */
  day: z.string(),
});
export type Figure = z.infer<typeof Figure>;

/** What `docs/speed.json` keeps: curves, and the figures of benches, by their names. */
export const Speed = z.strictObject({
  curves: Curves.default({}),
  benches: z.record(z.string(), z.array(Figure)).default({}),
});
export type Speed = z.infer<typeof Speed>;

/** Other programs are measured only where they are installed. */
const OTHER_PROGRAM = /promptfoo/;

/** The figures of a bench, with earlier ones of other programs if these were not measured this time. */
export function renewed(before: readonly Figure[], measured: readonly Figure[]): Figure[] {
  const names = new Set(measured.map(({ name }) => name));
  const kept = before.filter(({ name }) => OTHER_PROGRAM.test(name) && !names.has(name));
  return [...measured, ...kept];
}
