import { type Effect, meanEffect } from "../statistics/mean-effect.ts";
import { holm, signFlip } from "../statistics/paired-statistics.ts";
import { FEWEST_CLUSTERS, type Item, type Mean, meanShare } from "../statistics/statistics.ts";
import { checkOutcomeTable, combinations, type OutcomeTable } from "./outcome-table.ts";

/*
 * What each stage costs, from the accuracy of every combination of stages made right. v(S) is the accuracy with the
 * stages S made right. The Shapley value of a stage is what it adds to v, averaged over all orders in which the stages
 * can be made right (Shapley 1953). Pure; randomness comes from a seed.
 */

/** What one stage costs, in shares of 1; negative if its gold does harm. */
export interface StageValue {
  stage: string;
  /** Shapley value: what making it right adds to the accuracy, averaged over all orders of the stages. */
  value: Effect;
  /** Sign-flip permutation of `value` by cluster, two-sided; valid for any number of clusters. */
  p: number;
  /** `p` with Holm's correction over the stages. */
  p_holm: number;
  /** What it adds if no other stage is right: v({i}) - v({}). */
  solo: Effect;
  /** What it adds if all others are right: v(all) - v(all without i). */
  last: Effect;
}

/** Two stages that are worth more together (positive) or less (negative) than one after the other. */
export interface StageInteraction {
  stages: [string, string];
  /** Shapley interaction index (Grabisch & Roubens 1999). */
  value: Effect;
}

/** Accuracy with some stages made right. */
export interface Combination {
  /** Bitmask over the stages. */
  mask: number;
  /** The stages that are right. */
  stages: string[];
  accuracy: Mean;
}

/** The errors of a strategy by stage. The values of the stages sum to `gained`. */
export interface StageAttribution {
  samples: number;
  clusters: number;
  /** Fewer than 20 clusters: effects have no interval. */
  n_too_small: boolean;
  stages: StageValue[];
  interactions: StageInteraction[];
  /** v of every combination, in the order of the masks. */
  combinations: Combination[];
  /** v(all) - v({}). */
  gained: Effect;
  /** 1 - v(all): what remains with every stage right. */
  not_attributed: Mean;
}

/**
 * Attributes errors to stages. Intervals are 95 %, paired by sample and clustered; values below 0 are kept.
 * `draws` is the number of sign flips. Throws `Failure` `wrong-usage` for an incomplete table.
 *
 * @example
 * const { stages } = attributeToStages({
 *   stages: ["captions", "reasoning"],
 *   samples: ["1"], clusters: ["video 1"], arms: [[0], [0], [0], [1]],
 * }, { seed: 0 });
 * stages.map(({ value }) => value.mean); // [0.5, 0.5]
 */
export function attributeToStages(
  table: OutcomeTable,
  { seed, draws }: { seed: number; draws?: number },
): StageAttribution {
  checkOutcomeTable(table);
  const { stages, clusters, arms } = table;
  const k = stages.length;
  const all = arms.length - 1;
  const items = (values: readonly number[]) =>
    values.map((value, at) => ({ value, cluster: clusters[at] as string }));
  const effect = (weights: readonly number[], range = 1) => effectOf(table, weights, range);
  const difference = (to: number, from: number) =>
    effect(arms.map((_, mask) => Number(mask === to) - Number(mask === from)));
  const accuracy = (mask: number) => meanShare(items(arms[mask] as number[]));
  const p = stages.map((_, at) => {
    const values = weightedItems(table, shapleyWeights(k, at));
    const pairs = values.map(({ value, cluster }) => ({ a: 0, b: value, cluster }));
    return signFlip(pairs, { seed, draws }).p;
  });
  const adjusted = holm(p);
  const distinct = new Set(clusters).size;
  return {
    samples: clusters.length,
    clusters: distinct,
    n_too_small: distinct < FEWEST_CLUSTERS,
    stages: stages.map((stage, at) => ({
      stage,
      value: shapleyValue(table, at),
      p: p[at] as number,
      p_holm: adjusted[at] as number,
      solo: difference(1 << at, 0),
      last: difference(all, all & ~(1 << at)),
    })),
    interactions: stages.flatMap((first, a) =>
      stages.slice(a + 1).map((second, after): StageInteraction => {
        const value = effect(interactionWeights(k, a, a + 1 + after), 2);
        return { stages: [first, second], value };
      }),
    ),
    combinations: combinations(k).map((mask) => ({
      mask,
      stages: stages.filter((_, at) => mask & (1 << at)),
      accuracy: accuracy(mask),
    })),
    gained: difference(all, 0),
    not_attributed: meanShare(items((arms[all] as number[]).map((score) => 1 - score))),
  };
}

/** The Shapley value of one stage, by its place; `attributeToStages` has all of them. */
export function shapleyValue(table: OutcomeTable, stage: number): Effect {
  return effectOf(table, shapleyWeights(table.stages.length, stage), 1);
}

/** The Shapley value of stage `stage` of `k` as weights of v of every mask: it is linear in v. */
export function shapleyWeights(k: number, stage: number): number[] {
  const bit = 1 << stage;
  return combinations(k).map((mask) => {
    const others = sizeOf(mask & ~bit);
    const weight = (factorial(others) * factorial(k - others - 1)) / factorial(k);
    return mask & bit ? weight : -weight;
  });
}

/** The Shapley interaction index of two stages as weights of v of every mask. */
export function interactionWeights(k: number, a: number, b: number): number[] {
  const [bitA, bitB] = [1 << a, 1 << b];
  return combinations(k).map((mask) => {
    const others = sizeOf(mask & ~bitA & ~bitB);
    const weight = (factorial(others) * factorial(k - others - 2)) / factorial(k - 1);
    return Boolean(mask & bitA) === Boolean(mask & bitB) ? weight : -weight;
  });
}

function effectOf(table: OutcomeTable, weights: readonly number[], range: number): Effect {
  return meanEffect(weightedItems(table, weights), { range });
}

/** By sample, the weighted sum of its scores in all arms. */
function weightedItems({ arms, clusters }: OutcomeTable, weights: readonly number[]): Item[] {
  return clusters.map((cluster, sample) => {
    const value = arms.reduce(
      (sum, scores, mask) => sum + (weights[mask] as number) * (scores[sample] as number),
      0,
    );
    return { value, cluster };
  });
}

function sizeOf(mask: number): number {
  let count = 0;
  for (let left = mask; left > 0; left >>= 1) count += left & 1;
  return count;
}

function factorial(n: number): number {
  return n < 2 ? 1 : n * factorial(n - 1);
}
