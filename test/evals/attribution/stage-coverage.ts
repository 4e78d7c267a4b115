import { shapleyValue } from "../../../evals/attribution/shapley.ts";
import { drawTable, trueStandardError, trueValue, type World } from "./worlds.ts";

/** How the intervals of one stage did over the draws of a world. */
export interface StageCoverage {
  truth: number;
  /** Draws whose 95 % interval covers the true Shapley value. */
  covered: number;
  /** Median width, divided by the width of an interval from the true standard error. */
  width: number;
}

/** By stage, over `draws` outcome tables of at least 20 videos. */
export function stageCoverage(world: World, draws: number): StageCoverage[] {
  const drawn = Array.from({ length: draws }, (_, draw) => drawTable(world, String(draw)));
  return Array.from({ length: world.stages }, (_, stage) => {
    const truth = trueValue(world, stage);
    const values = drawn.map((table) => {
      const { low, high } = shapleyValue(table, stage);
      return { low: low ?? Number.NaN, high: high ?? Number.NaN };
    });
    const widths = values.map(({ low, high }) => high - low).sort((a, b) => a - b);
    const known = 2 * 1.959964 * trueStandardError(world, stage);
    return {
      truth,
      // Rounding must not decide about a stage without any effect.
      covered: values.filter(({ low, high }) => low <= truth + 1e-12 && truth - 1e-12 <= high)
        .length,
      width: (widths[draws >> 1] as number) / known,
    };
  });
}
