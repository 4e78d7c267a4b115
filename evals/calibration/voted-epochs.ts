import { countOf } from "../../src/core/count-of.ts";
import { epochsOf } from "../run/option-orders.ts";
import { hasScorer } from "../score/metrics.ts";
import type { Results } from "../score/read-results.ts";

/** The epochs of a run whose answers vote. */
export interface VotedEpochs {
  /** Number of first epochs, at least 2: those that most samples have. */
  used: number;
  /** Number of epochs of the run. */
  of: number;
  /** Samples with fewer epochs, which have no votes. */
  left_out: number;
  /** Whether the sample has all these epochs. */
  has(id: string): boolean;
}

/**
 * The first epochs that most samples have. All samples vote equally often: the share of fewer epochs would look more
 * certain. A run goes epoch by epoch, so one that was stopped lacks the last ones. Null if no sample has two.
 */
export function votedEpochs(results: Results): VotedEpochs | null {
  const { epochs, option_orders: orders = 1, benchmark } = results;
  const said = Map.groupBy(results.said, ({ sample }) => sample.id);
  const samples = results.samples.filter((sample) => hasScorer(benchmark, sample));
  const lengths = new Map(
    samples.map((sample) => {
      const there = new Set(said.get(sample.id)?.map(({ epoch }) => epoch));
      const lacking = epochsOf(sample, epochs / orders, orders).find((epoch) => !there.has(epoch));
      return [sample.id, lacking === undefined ? epochs : lacking - 1];
    }),
  );
  const counts = [...Map.groupBy(lengths.values(), (length) => length)]
    .map(([length, of]) => ({ length, samples: of.length }))
    .filter(({ length }) => length > 1)
    // Of two numbers that as many samples have, the lower one leaves fewer samples out.
    .sort((a, b) => b.samples - a.samples || a.length - b.length);
  const [most] = counts;
  if (most === undefined) return null;
  const has = (id: string) => (lengths.get(id) ?? 0) >= most.length;
  const left_out = samples.filter(({ id }) => !has(id)).length;
  return { used: most.length, of: epochs, left_out, has };
}

/** What the votes lack, for a sentence; null if they have all epochs of all samples. */
export function votedEpochsText({ used, of, left_out }: VotedEpochs): string | null {
  if (used === of && left_out === 0) return null;
  return [
    `votes of ${used === of ? `all ${of}` : `the first ${used} of ${of}`} epochs`,
    ...(left_out === 0 ? [] : [`${countOf(left_out, "sample")} with fewer left out`]),
    "`eval --resume` completes the run",
  ].join(", ");
}
