import type { Pair } from "../../evals/paired-statistics.ts";
import type { Item } from "../../evals/statistics.ts";
import { seeded } from "../../src/core/random.ts";

/*
 * Benchmarks with a known truth: every video has its own chance of being answered right, so that the questions of one
 * video go together as they do in MMR-V.
 */

export interface World {
  videos: number;
  /** Questions of a video: between these, evenly. */
  questions: [number, number];
  /** Mean chance of a right answer. */
  accuracy: number;
  /** How far the chances of the videos lie from it, up and down, evenly. */
  spread: number;
  /** What run b adds to every chance. */
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

/** Share of `runs` draws for which a thing holds. */
export function shareOf(runs: number, holds: (seed: string) => boolean): number {
  let count = 0;
  for (let run = 0; run < runs; run++) if (holds(String(run))) count++;
  return count / runs;
}
