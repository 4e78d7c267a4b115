import { Failure } from "../../src/core/errors.ts";
import type { SpendingCap } from "../../src/core/spending-cap.ts";
import { resumeCommand } from "./resume-command.ts";
import type { EvalHeader } from "./run-header.ts";
import type { RunProgress } from "./run-progress.ts";

/** The sweep that a run is an arm of. */
export interface RunSweep {
  folder: string;
  /** What all its runs may pay together. */
  cap: SpendingCap | undefined;
}

/** How a run ended: status for its header, and the failure to throw if it is incomplete. `sweep`: null for a single run. */
export function endOf(
  fatal: Failure | undefined,
  signal: AbortSignal | undefined,
  failed: number | null,
  spent: SpendingCap | null,
  folder: string,
  header: EvalHeader & Pick<RunProgress, "done" | "total">,
  sweep: RunSweep | null = null,
): { header: Pick<EvalHeader, "status" | "ended_by">; failure?: Failure } {
  const resume =
    sweep === null ? resumeCommand("eval", folder) : resumeCommand("sweep", sweep.folder);
  if (signal?.aborted) {
    const text =
      header.workers === "remote"
        ? `Stopped waiting: the workers continue. Collect their results with \`${resume}\`.`
        : `Interrupted: continue with \`${resume}\`.`;
    const failure = new Failure("cancelled", text, { resume });
    return { header: { status: "stopped", ended_by: failure.message }, failure };
  }
  if (fatal !== undefined)
    return { header: { status: "failed", ended_by: fatal.message }, failure: fatal };
  if (spent !== null) {
    const failure = limitFailure(spent, header, sweep, resumeCommand("eval", folder));
    return { header: { status: "stopped", ended_by: failure.message }, failure };
  }
  if (failed === null) return { header: { status: "finished", ended_by: null } };
  const failure = new Failure(
    "limit-met",
    `Stopped after ${failed} failed ${failed === 1 ? "sample" : "samples"} (--fail-on-error ${header.fail_on_error}): fix the cause and continue with \`${resume}\`.`,
    { failed, limit: header.fail_on_error },
  );
  return { header: { status: "stopped", ended_by: failure.message }, failure };
}

/** The limit of the sweep if that refused a call, else the run's own. `alone`: the command that continues only the run. */
function limitFailure(
  own: SpendingCap,
  { done, total }: Pick<RunProgress, "done" | "total">,
  sweep: RunSweep | null,
  alone: string,
): Failure {
  const cap = sweep?.cap?.met() === true ? sweep.cap : own;
  const isOwn = sweep === null || cap === own;
  const [whose, by] = isOwn ? ["", ""] : [" of the sweep", " by all its runs"];
  const resume = isOwn ? alone : resumeCommand("sweep", sweep.folder);
  return new Failure(
    "limit-met",
    `Stopped at --total-cost-limit ${cap.limit}${whose}: $${cap.paid().toFixed(4)} is paid${by}, ${done} of ${total} results${isOwn ? "" : " of this run"} are complete. Continue with a higher limit: \`${resume} --total-cost-limit ...\`.`,
    { limit: cap.limit, paid: cap.paid() },
  );
}
