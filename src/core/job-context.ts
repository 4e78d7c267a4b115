import type { Store } from "./contracts.ts";

/** What every tool that works on a video gets: the store, the run that pays, a signal to stop, and where to report progress. */
export interface JobContext {
  store: Store;
  /** The run that pays for memo steps. */
  run: string;
  signal?: AbortSignal;
  /** Called at most a few times a second. `total` is null while it is unknown. */
  progress?: (done: number, total: number | null, unit: string) => void;
}
