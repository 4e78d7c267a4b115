import { Failure } from "../../src/core/errors.ts";

/** At most this many stages, since all 2^k combinations run. */
export const MOST_STAGES = 4;

/**
 * The scores of every combination of stages made right by gold, on the same samples.
 *
 * A combination is a bitmask over `stages`: bit `i` is set if `stages[i]` is gold. Combination 0 is the strategy as it
 * is; the last one has every stage right.
 */
export interface OutcomeTable {
  /** One to four, in the order of the bits. */
  stages: string[];
  /** Ids, in the order of the scores. */
  samples: string[];
  /** By sample. Samples of one cluster (a source video) are not independent. */
  clusters: string[];
  /** `arms[mask][sample]`: the score, 0 to 1. There are 2^k arms, each with a score for every sample. */
  arms: number[][];
}

/** Every combination of `stages` stages as a bitmask, from none to all. */
export function combinations(stages: number): number[] {
  return Array.from({ length: 2 ** stages }, (_, mask) => mask);
}

/** Throws `Failure` `wrong-usage` for a table that lacks stages, samples, arms or scores, or has too many stages. */
export function checkOutcomeTable({ stages, samples, clusters, arms }: OutcomeTable): void {
  const refuse = (why: string) => {
    throw new Failure("wrong-usage", `Cannot attribute errors to stages: ${why}.`);
  };
  if (stages.length === 0 || stages.length > MOST_STAGES)
    refuse(`there are ${stages.length} stages; use 1 to ${MOST_STAGES}`);
  if (new Set(stages).size < stages.length) refuse("two stages have the same name");
  if (samples.length === 0) refuse("there are no samples");
  if (clusters.length !== samples.length)
    refuse(`${samples.length} samples have ${clusters.length} clusters`);
  const expected = 2 ** stages.length;
  if (arms.length !== expected)
    refuse(`${stages.length} stages need ${expected} arms, not ${arms.length}`);
  for (const [mask, scores] of arms.entries())
    if (scores.length !== samples.length || scores.some((score) => !(score >= 0 && score <= 1)))
      refuse(`arm ${mask} needs a score from 0 to 1 for each of ${samples.length} samples`);
}
