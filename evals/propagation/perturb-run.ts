import type { Store } from "../../src/core/contracts.ts";
import type { EvidenceSet } from "../../src/core/shapes.ts";
import { openStore } from "../../src/storage/open.ts";
import { openRunLog } from "../../src/storage/run-log.ts";
import { type ResumeChanges, reopen } from "../run/prepare-run.ts";
import { planPropagation } from "./plan-propagation.ts";

/** The evidence of a sample with injected errors. */
export interface PerturbedSample {
  sample: string;
  /** Path of the video from the data folder. */
  video: string;
  units: number;
  damaged: number;
  set: EvidenceSet;
}

/**
 * Injects errors of one kind into what a run recognised, and stores the new evidence sets in the run's store, where
 * `ask`, the service and `study propagation` find them. Samples without units are left out. Throws as `planPropagation`.
 *
 * @example
 * const samples = await perturbRun("runs/rrd", {}, { error: "drop-captions", rate: 0.2 });
 */
export async function perturbRun(
  folder: string,
  changes: ResumeChanges,
  { error, rate, seed = 0, store: given }: PerturbRunOptions,
): Promise<PerturbedSample[]> {
  const run = await reopen(openRunLog(folder), changes);
  const store = given ?? (await openStore(run.settings.runtime.data));
  try {
    const { curves } = await planPropagation(run, store, { errors: [error], rates: [rate], seed });
    const samples = curves.flatMap(({ points }) => points.at(-1)?.samples ?? []);
    for (const { set } of samples) {
      const [first] = set.items;
      if (set.base !== null && first !== undefined)
        await store.catalogue.putSet({ id: set.id, video: first.video, json: JSON.stringify(set) });
    }
    return samples.map(({ sample: { id, video }, set, units, damaged }) => ({
      sample: id,
      video,
      units,
      damaged,
      set,
    }));
  } finally {
    if (given === undefined) await store.close();
  }
}

/** The error, and where the evidence is. */
export interface PerturbRunOptions {
  /** Name of a perturbation. */
  error: string;
  /** Share of damaged units, 0 to 1. */
  rate: number;
  /** Default 0. */
  seed?: number;
  /** Default: the one in `settings.runtime.data`, closed afterwards. */
  store?: Store;
}
