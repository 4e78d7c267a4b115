import type { Store } from "../../src/core/contracts.ts";
import type { WorkerStage, WorkerTiming } from "../../src/core/shared-runs.ts";
import type { WorkerSettings } from "./accept-run.ts";

/** What became of a task; `released`: it is left to another worker, or to a later start. */
export type TaskOutcome = "taken" | "done" | "failed" | "parked" | "released";

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
  /** A task was taken, or ended. */
  onTask?: (stage: WorkerStage, outcome: TaskOutcome) => void;
  /** How long a sample was in a stage. */
  onStageSeconds?: (stage: string, seconds: number) => void;
}
