import { z } from "zod";

const Point = z.tuple([z.number(), z.number()]);

/** One plot: how a figure changes with a size. `docs/speed.json` keeps them. */
export const Curve = z.strictObject({
  title: z.string(),
  /** Names of the axes, with their units. */
  x: z.string(),
  y: z.string(),
  series: z.array(z.strictObject({ name: z.string(), points: z.array(Point).min(1) })).min(1),
});
export type Curve = z.infer<typeof Curve>;

/** Curves by their names in the data file, in the order in which they are drawn. */
export const Curves = z.record(z.string(), Curve);
export type Curves = z.infer<typeof Curves>;
