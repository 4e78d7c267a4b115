import type { Pair } from "../../../evals/statistics/paired-statistics.ts";
import { type Item, meanShare } from "../../../evals/statistics/statistics.ts";
import { seeded } from "../../../src/core/random.ts";

/*
 * Benchmarks with a known truth: every video has its own chance of being answered right, so that the questions of one
 * video go together as they do in MMR-V.
 */

export interface World {
  videos: number;
  /** Range of questions per video, uniform. */
  questions: [number, number];
  /** Mean probability of a right answer. */
  accuracy: number;
  /** Half width of the uniform distribution of the videos' probabilities around it. */
  spread: number;
  /** What run b adds to every probability. */
  gain?: number;
}

/** One draw of a run over the world. */
export function drawItems(world: World, seed: string): Item[] {
  return drawPairs(world, seed).map(({ a, cluster }) => ({ value: a, cluster }));
}

/** Two runs over the same questions, alike within a video. */
export function drawPairs(world: World, seed: string): Pair[] {
  const random = seeded("world", seed);
  const [least, most] = world.questions;
  return Array.from({ length: world.videos }, (_, video) => {
    const count = least + Math.floor(random() * (most - least + 1));
    const chance = world.accuracy + world.spread * (2 * random() - 1);
    return Array.from({ length: count }, () => ({
      a: random() < chance ? 1 : 0,
      b: random() < chance + (world.gain ?? 0) ? 1 : 0,
      cluster: String(video),
    }));
  }).flat();
}

/** Share of `runs` draws for which a condition is true. */
export function shareOf(runs: number, holds: (seed: string) => boolean): number {
  let count = 0;
  for (let run = 0; run < runs; run++) if (holds(String(run))) count++;
  return count / runs;
}

/** A cell of the coverage study. */
export interface Cell {
  clusters: number;
  /** Intra-cluster correlation of right answers. */
  correlation: number;
  accuracy: number;
  /**
   * `beta`: each video has a chance of its own, from a beta distribution. `shared`: each question takes the outcome of
   * its video with chance sqrt(correlation), else one of its own. `block`: a video is all right or all wrong with chance
   * `correlation`, else its questions are independent.
   */
  model: "beta" | "shared" | "block";
  sizes: Sizes;
}

/**
 * Questions of a video. MMR-V has 1,257 questions on 317 videos, a mean of 3.97 and at least 1; how they spread is not
 * published. `skewed`: geometric with that mean, a long tail; `even`: 1 to 7; `equal`: 4; `one`: as in VCRBench.
 */
export type Sizes = "skewed" | "even" | "equal" | "one";

const QUESTIONS_A_VIDEO = 1257 / 317;

/** Share of draws whose interval contains the accuracy, and the mean width of the intervals. */
export function accuracyCoverage(cell: Cell, draws: number): { coverage: number; width: number } {
  const random = seeded("coverage", JSON.stringify(cell));
  let held = 0;
  let width = 0;
  for (let draw = 0; draw < draws; draw++) {
    const { low, high } = meanShare(drawCell(cell, random));
    if ((low ?? 1) <= cell.accuracy && cell.accuracy <= (high ?? 0)) held++;
    width += ((high ?? 1) - (low ?? 0)) / draws;
  }
  return { coverage: held / draws, width };
}

function drawCell(
  { clusters, correlation, accuracy, model, sizes }: Cell,
  random: () => number,
): Item[] {
  const items: Item[] = [];
  const right = (chance: number) => (random() < chance ? 1 : 0);
  for (let video = 0; video < clusters; video++) {
    const count = sizeOf(sizes, random);
    const common = right(accuracy);
    const blocked = model === "block" && random() < correlation;
    const chance =
      model === "beta" && correlation > 0 ? betaChance(accuracy, correlation, random) : accuracy;
    for (let question = 0; question < count; question++) {
      const shared = blocked || (model === "shared" && random() < Math.sqrt(correlation));
      items.push({ value: shared ? common : right(chance), cluster: String(video) });
    }
  }
  return items;
}

function sizeOf(sizes: Sizes, random: () => number): number {
  switch (sizes) {
    case "skewed":
      return 1 + Math.floor(Math.log(1 - random()) / Math.log(1 - 1 / QUESTIONS_A_VIDEO));
    case "even":
      return 1 + Math.floor(7 * random());
    case "equal":
      return 4;
    case "one":
      return 1;
  }
}

/** Beta with this mean, in which two questions of a video have this correlation. */
function betaChance(mean: number, correlation: number, random: () => number): number {
  const weight = (1 - correlation) / correlation;
  const a = gamma(mean * weight, random);
  const b = gamma((1 - mean) * weight, random);
  // With tiny shapes both may underflow.
  return a + b > 0 ? a / (a + b) : Number(random() < mean);
}

/** Marsaglia & Tsang 2000; below shape 1 by the power of a uniform number. */
function gamma(shape: number, random: () => number): number {
  if (shape < 1) return gamma(shape + 1, random) * (1 - random()) ** (1 / shape);
  const d = shape - 1 / 3;
  const c = 1 / Math.sqrt(9 * d);
  for (;;) {
    const x = Math.sqrt(-2 * Math.log(1 - random())) * Math.cos(2 * Math.PI * random());
    const v = (1 + c * x) ** 3;
    if (v > 0 && Math.log(1 - random()) < x ** 2 / 2 + d * (1 - v + Math.log(v))) return d * v;
  }
}
