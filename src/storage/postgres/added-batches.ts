import type { Database } from "./database.ts";

/** A write is repeated within seconds; a service that was suspended repeats it later. */
const KEPT = "2 days";
const SWEEP_MS = 3_600_000;

export interface AddedBatches {
  /** Removes old ids from time to time. */
  sweep(): Promise<void>;
}

/** The ids of batches that were added to what owners used and spent. */
export function createAddedBatches(db: Database): AddedBatches {
  let swept = Number.NEGATIVE_INFINITY;
  return {
    async sweep() {
      if (performance.now() - swept < SWEEP_MS) return;
      swept = performance.now();
      const sql = `DELETE FROM added_batches WHERE at < clock_timestamp() - interval '${KEPT}'`;
      // The batch was added: an error here must not report that it was not.
      await db.run("forgetting what was added", sql).catch(() => undefined);
    },
  };
}
