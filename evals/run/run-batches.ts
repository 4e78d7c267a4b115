import { strategies } from "../../graphs/define-strategy.ts";
import { countOf } from "../../src/core/count-of.ts";
import type { Role } from "../../src/core/events.ts";
import type { Settings } from "../../src/core/settings.ts";
import { shellWord } from "../../src/core/shell-word.ts";
import { isMediaWorking } from "../../src/media/process-queue.ts";
import { checkBatch } from "../../src/models/batch/batch-api-of.ts";
import { type Batches, type BatchProgress, openBatches } from "../../src/models/batch/batches.ts";
import { checkBatchServer } from "../../src/models/batch/check-server.ts";
import { nameOf } from "../../src/models/name.ts";
import { findTarget } from "../../src/models/target.ts";

/** Samples that wait at once: each holds its state in memory. */
const MOST_SAMPLES = 4096;
/** Their models do not chat, so that their calls are sent at once. */
const DIRECT: ReadonlySet<Role> = new Set(["embedder", "transcriber"]);

/** The batches of a run or judging, and how its samples use them. */
export interface RunBatches {
  /** Undefined without `--batch`. */
  batches: Batches | undefined;
  /** Samples that are begun at once. */
  width: number;
  /** Runs one sample. */
  sample<T>(work: () => Promise<T>): Promise<T>;
  /** Ends the work; reports the batches that are still processed. */
  close(isComplete: boolean): Promise<void>;
}

export interface RunBatchesOptions {
  /** The data folder. */
  data: string;
  run: string;
  /** Samples that work at once. */
  width: number;
  /** Samples that a person allows at once. */
  max_samples?: number | null;
  /** The command that collects the replies after a stop. */
  resume: string;
  onBatches?: (batches: readonly BatchProgress[]) => void;
  onNote?: (text: string) => void;
}

/** The models whose calls go through batches. */
function batchedModels(settings: Settings, roles: readonly Role[]): string[] {
  const names = roles.flatMap((role) => (DIRECT.has(role) ? [] : (nameOf(settings, role) ?? [])));
  return [...new Set(names)];
}

/** Throws `Failure` `wrong-setting` if the settings ask for batches that a provider does not have. */
export function checkRunBatches(settings: Settings, roles: readonly Role[]): void {
  if (settings.runtime.batch) checkBatch(batchedModels(settings, roles));
}

/** Asks each server whether it has batches, if the settings ask for them. Throws `Failure` `wrong-setting`. */
export async function checkBatchServers(
  settings: Settings,
  roles: readonly Role[],
  signal: AbortSignal = new AbortController().signal,
): Promise<void> {
  if (!settings.runtime.batch) return;
  for (const name of batchedModels(settings, roles))
    await checkBatchServer(findTarget(name, settings.runtime), signal);
}

/** Opens the batches of a run, if its settings ask for them. Throws `Failure` `file-unreadable`. */
export async function openRunBatches(
  settings: Settings,
  options: RunBatchesOptions,
): Promise<RunBatches> {
  const { width, max_samples, onNote } = options;
  if (!settings.runtime.batch)
    return {
      batches: undefined,
      width: max_samples ?? width,
      sample: (work) => work(),
      close: async () => {},
    };
  if (strategies.get(settings.strategy).approach === "search")
    onNote?.(
      `The strategy ${settings.strategy} makes its calls one after another, and each waits for a batch of up to 24 hours.`,
    );
  const batches = await openBatches({
    ...{ data: options.data, run: options.run, width },
    headers: settings.runtime.headers,
    onProgress: options.onBatches,
    isPreparing: isMediaWorking,
  });
  return {
    batches,
    width: max_samples ?? MOST_SAMPLES,
    sample: batches.sample,
    async close(isComplete) {
      const running = await batches.close(isComplete);
      if (running.length === 0) return;
      const calls = running.reduce((sum, { requests }) => sum + requests, 0);
      const count = running.length === 1 ? "1 batch" : `${running.length} batches`;
      onNote?.(
        `${count} with ${countOf(calls, "call")} will be processed and billed: \`${options.resume}\` collects the replies. To cancel: \`batches --cancel --data-dir ${shellWord(options.data)}\`.`,
      );
    },
  };
}
