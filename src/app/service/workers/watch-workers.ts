import { setTimeout as sleep } from "node:timers/promises";
import type { Logger } from "pino";
import { workersProblem } from "../../../../evals/workers/missing-workers.ts";
import { requireSharedRuns } from "../../../../evals/workers/require-shared-runs.ts";
import type { Store } from "../../../core/contracts.ts";
import { SERVICE_QUESTIONS } from "../../../core/shared-runs.ts";
import type { Metrics } from "../metrics.ts";

const LOOK_MS = 2_000;

export interface WatchedWorkers {
  /** Why no worker answers questions; null: one does. */
  problem(): Promise<string | null>;
  stop(): Promise<void>;
}

/**
 * Looks after the workers of a service that answers no question itself: counts the questions that wait, ends the claims of
 * killed workers of this machine, and logs that no worker is there. Throws `Failure` `wrong-usage` for a store of one machine.
 */
export function watchWorkers(
  store: Store,
  { metrics, log }: { metrics: Pick<Metrics, "queue">; log: Logger },
): WatchedWorkers {
  const runs = requireSharedRuns(store);
  const stopping = new AbortController();
  let said: string | null = null;
  const problem = async () => workersProblem(SERVICE_QUESTIONS, await runs.workers());

  async function look(): Promise<void> {
    await store.replicas?.sweep();
    const waiting = (await store.replicas?.countWaiting()) ?? 0;
    metrics.queue.set({ state: "queued" }, waiting);
    const now = waiting === 0 ? null : await problem();
    if (now !== null && now !== said) log.warn({ waiting }, now);
    said = now;
  }

  const loop = (async () => {
    while (!stopping.signal.aborted) {
      await look().catch((error: unknown) => log.error({ err: error }, "cannot look for workers"));
      await sleep(LOOK_MS, undefined, { signal: stopping.signal }).catch(() => {});
    }
  })();

  return {
    problem,
    async stop() {
      stopping.abort();
      await loop;
    },
  };
}
