import type { Store } from "../../src/core/contracts.ts";
import type { SpendingCap } from "../../src/core/spending-cap.ts";
import type { BatchProgress } from "../../src/models/batch/batches.ts";
import type { Models } from "../../src/models/chat.ts";
import type { ModelsOptions } from "../../src/models/models.ts";
import type { Sample } from "../benchmarks/sample.ts";
import type { EvalHeader } from "./run-header.ts";
import type { RunProgress } from "./run-progress.ts";

/** Store, limits and progress of a run. */
export interface RunOptions {
  signal?: AbortSignal;
  /** After every result. */
  onProgress?: (progress: RunProgress) => void;
  /** Samples at work by stage, whenever that changes. A sample whose stages run at the same time counts in each. */
  onStages?: (samples: ReadonlyMap<string, number>) => void;
  /** How far a stage of one of the samples at work is. */
  onStep?: (stage: string, step: { done: number; total: number | null; unit: string }) => void;
  /** What a person should know and no result says: answers without a scorer, or an uploaded file that could not be deleted. */
  onNote?: (text: string) => void;
  /** Default: the one in `settings.runtime.data`, closed again afterwards. */
  store?: Store;
  /** The batches of `--batch`, whenever one changes. */
  onBatches?: (batches: readonly BatchProgress[]) => void;
  /** Default: the real ones. */
  createModels?: (options: ModelsOptions) => Models;
  /** What this run and others may pay together. */
  cap?: SpendingCap;
  /** Folder of the sweep that the run is an arm of: its end names the command that continues the sweep. */
  sweep?: string;
}

/** How a run ended. */
export interface RunEnd {
  folder: string;
  header: EvalHeader;
  progress: RunProgress;
  /** The samples asked, as its folder has them; missing for a resumed run. */
  samples?: readonly Sample[];
}
