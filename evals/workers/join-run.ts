import type { Store } from "../../src/core/contracts.ts";
import { Failure } from "../../src/core/errors.ts";
import type { Settings } from "../../src/core/settings.ts";
import type { EvalSettings } from "../run/eval-settings.ts";
import { checkEvalHeader, type EvalHeader } from "../run/run-header.ts";
import { requireSharedRuns } from "./require-shared-runs.ts";
import { runKey } from "./run-key.ts";

/** Refuses what workers cannot do. Throws `Failure` `wrong-usage`. */
export function refuseRemote({ gold, settings }: Pick<EvalSettings, "gold" | "settings">): void {
  refuseBatchOfWorkers(settings);
  if (gold !== null)
    throw new Failure(
      "wrong-usage",
      "Invalid --workers remote: an attribution gives evidence from files of this machine. Use --workers local.",
    );
}

/** Throws `Failure` `wrong-usage` for batches in a run whose samples workers answer one by one. */
export function refuseBatchOfWorkers({ runtime }: Settings): void {
  if (!runtime.batch) return;
  throw new Failure(
    "wrong-usage",
    "--batch and --workers remote exclude each other: a batch holds the calls of one process. Leave one of them out.",
  );
}

/**
 * The header of the run that a process submits: that of the open run which asks the same questions, if somebody has
 * submitted one. Throws `Failure` `wrong-usage` for a store of one machine.
 */
export async function joinRun(
  store: Store,
  planned: EvalHeader,
  { sample_tries: most_tries }: Pick<EvalSettings, "sample_tries">,
): Promise<EvalHeader> {
  const { run, header } = await requireSharedRuns(store).open({
    run: planned.run,
    key: runKey(planned),
    header: planned,
    most_tries,
  });
  return run === planned.run ? planned : checkEvalHeader(header, `the run ${run}`);
}

/** Stops the workers of a run that continues without them. */
export async function leaveWorkers({ runs }: Pick<Store, "runs">, run: string): Promise<void> {
  if ((await runs?.find(run))?.state === "open") await runs?.end(run, "cancelled");
}
