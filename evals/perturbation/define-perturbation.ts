import { createRegistry } from "../../src/core/registry.ts";
import type { Evidence } from "../../src/core/shapes.ts";
import type { Sample } from "../benchmarks/sample.ts";

/** What a perturbation may use in addition to the evidence of one sample. */
export interface PerturbationContext {
  sample: Sample;
  /** Length of the video, seconds. */
  duration_s: number;
  /** Recognised evidence of the other videos of the run. */
  others: readonly Evidence[];
  /** Random numbers in [0, 1) that depend only on the seed, the perturbation, the sample, and these keys. */
  random(...keys: readonly (string | number)[]): () => number;
}

/**
 * A kind of recognition error that is injected into evidence. It damages single units, such as captions or characters,
 * which the study chooses: the same units and more at a higher rate.
 */
export interface Perturbation {
  /** Lower-case letters and dashes. */
  readonly name: string;
  /** What it does to a unit, as a clause for help: `drops captions`. */
  readonly summary: string;
  /** Name of its units, in the plural: `captions`. */
  readonly unit: string;
  /** Number of units in the evidence of a sample; 0 if it has none. Pure. */
  count(items: readonly Evidence[], context: PerturbationContext): number;
  /**
   * The evidence with the units damaged for which `isDamaged` is true; items without damage stay as they are. Pure: a
   * damaged unit does not depend on which others are damaged.
   */
  apply(
    items: readonly Evidence[],
    isDamaged: (unit: number) => boolean,
    context: PerturbationContext,
  ): Evidence[];
}

/** The perturbations that this process knows. */
export const perturbations = createRegistry<Perturbation>("a perturbation");

/**
 * Defines a perturbation.
 *
 * @example
 * export const dropFrames = definePerturbation({
 *   name: "drop-frames",
 *   summary: "drops frames",
 *   unit: "frames",
 *   count: (items) => items.filter(({ kind }) => kind === "frame").length,
 *   apply(items, isDamaged) {
 *     let unit = 0;
 *     return items.filter(({ kind }) => kind !== "frame" || !isDamaged(unit++));
 *   },
 * });
 */
export function definePerturbation(perturbation: Perturbation): Perturbation {
  return perturbation;
}
