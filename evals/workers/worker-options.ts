import type { Store } from "../../src/core/contracts.ts";
import type { WorkerStage, WorkerTiming } from "../../src/core/shared-runs.ts";
import type { WorkerSettings } from "./accept-run.ts";

/** How a worker works. */
export interface WorkerOptions {
  store: Store;
  stages: readonly WorkerStage[];
  /** Samples at once. */
  concurrency: number;
  settings: WorkerSettings;
  /** Seconds for which samples at work may go on after the signal. */
  drain_s: number;
  timing?: WorkerTiming;
  signal: AbortSignal;
  onNote(text: string): void;
}
