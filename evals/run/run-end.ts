import { Failure } from "../../src/core/errors.ts";
import type { SpendingCap } from "../../src/core/spending-cap.ts";
import { resumeCommand } from "./resume-command.ts";
import type { EvalHeader } from "./run-header.ts";
import type { RunProgress } from "./run-progress.ts";

/** How a run ended: status for its header, and the failure to throw if it is incomplete. */
export function endOf(
  fatal: Failure | undefined,
  signal: AbortSignal | undefined,
  failed: number | null,
  spent: SpendingCap | null,
  folder: string,
  header: EvalHeader & Pick<RunProgress, "done" | "total">,
): { header: Pick<EvalHeader, "status" | "ended_by">; failure?: Failure } {
  if (signal?.aborted) {
    const resume = resumeCommand("eval", folder);
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
    const failure = new Failure(
      "limit-met",
      `Stopped at --total-cost-limit ${spent.limit}: $${spent.paid().toFixed(4)} is paid, ${header.done} of ${header.total} results are complete. Continue with a higher limit: \`${resumeCommand("eval", folder)} --total-cost-limit ...\`.`,
      { limit: spent.limit, paid: spent.paid() },
    );
    return { header: { status: "stopped", ended_by: failure.message }, failure };
  }
  if (failed === null) return { header: { status: "finished", ended_by: null } };
  const failure = new Failure(
    "limit-met",
    `Stopped after ${failed} failed ${failed === 1 ? "sample" : "samples"} (--fail-on-error ${header.fail_on_error}): fix the cause and continue with \`${resumeCommand("eval", folder)}\`.`,
    { failed, limit: header.fail_on_error },
  );
  return { header: { status: "stopped", ended_by: failure.message }, failure };
}
