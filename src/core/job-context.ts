import type { Store } from "./contracts.ts";

/** What every piece of work on a video is given: where to keep things, who pays, when to stop, whom to tell. */
export interface Work {
  store: Store;
  /** The run that pays for memo steps. */
  run: string;
  signal?: AbortSignal;
  /** Called at most a few times a second. `total` is null while it is not known. */
  progress?: (done: number, total: number | null, unit: string) => void;
}
