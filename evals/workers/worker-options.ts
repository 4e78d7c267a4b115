import type { Store } from "../../src/core/contracts.ts";
import type { WorkerSession, WorkerStage, WorkerTiming } from "../../src/core/shared-runs.ts";
import type { WorkerSettings } from "./accept-run.ts";

/** What became of a task; `released`: it is left to another worker, or to a later start. */
export type TaskOutcome = "taken" | "done" | "failed" | "parked" | "released";

/** Work of a worker in addition to samples. */
export interface OtherWork {
  /** Takes no more, waits `grace_ms` for what is at work, and leaves the rest to other workers. */
  stop(grace_ms: number): Promise<void>;
}

/** How a worker works. */
export interface WorkerOptions {
  store: Store;
  stages: readonly WorkerStage[];
  /** Samples at once. */
  concurrency: number;
  settings: WorkerSettings;
  /** Seconds for which samples at work may go on after the signal. */
  drain_s: number;
  /** Seconds for which no worker has had a video, after which its samples fail. Default: 600. */
  video_wait_s?: number;
  timing?: WorkerTiming;
  signal: AbortSignal;
  onNote(text: string): void;
  /** A task was taken, or ended. */
  onTask?: (stage: WorkerStage, outcome: TaskOutcome) => void;
  /** Begins other work of this worker, which may say that it refuses it. */
  also?: (session: Pick<WorkerSession, "refuse">) => OtherWork;
  /** How long a sample was in a stage. */
  onStageSeconds?: (stage: string, seconds: number) => void;
}
