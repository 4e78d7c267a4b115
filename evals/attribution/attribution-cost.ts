import { join } from "node:path";
import { Failure, isFailure } from "../../src/core/errors.ts";
import { money } from "../../src/core/money.ts";
import { readJudgings } from "../judges/judging.ts";
import { gradeJudge } from "../judges/open-answer.ts";
import { readPaid } from "../run/paid-log.ts";
import { resumeCommand } from "../run/resume-command.ts";
import { letterJudge } from "../score/letter-judge.ts";
import { judgedBefore } from "../sweep/sweep-cap.ts";
import type { Sweep } from "../sweep/sweep-settings.ts";

/*
 * `--total-cost-limit` of an attribution holds for its runs, for the tests of clips after them, and for the models that
 * name letters and grade replies.
 */

/** Judges whose calls an attribution makes by itself. */
const OWN_JUDGES: readonly string[] = [letterJudge.kind, gradeJudge(null).kind];

/** Dollars that an attribution has paid, in all processes. */
export interface AttributionCost {
  runs: number;
  /** For tests of clips, letters and grades, which the cap of the runs does not know. */
  after: number;
}

/** What the attribution in a folder has paid so far. */
export async function costOf(
  folder: string,
  { cells }: Pick<Sweep, "cells">,
): Promise<AttributionCost> {
  let runs = 0;
  // The tests of clips write to the folder itself.
  let after = (await readPaid(folder)) ?? 0;
  for (const { name } of cells) {
    const path = join(folder, name);
    runs += (await readPaid(path)) ?? 0;
    for (const judging of await readJudgings(path))
      if (OWN_JUDGES.includes(judging.header.kind)) after += judging.paid;
  }
  return { runs, after };
}

/** What remains of the limit for the runs and what judged them, as a change for `continueSweep`. */
export async function limitOfRuns(
  limit: number | null,
  folder: string,
  sweep: Pick<Sweep, "cells">,
): Promise<{ total_cost_limit?: number }> {
  if (limit === null) return {};
  const { after } = await costOf(folder, sweep);
  // The sweep counts all judgements, also those that are not the attribution's.
  const judged = await judgedBefore(sweep, folder, limit);
  return { total_cost_limit: Math.max(0, limit - after + judged) };
}

/** What a judge of a run may pay in all, earlier processes included; null: no limit. */
export async function limitOfJudge(
  limit: number | null,
  folder: string,
  sweep: Pick<Sweep, "cells">,
  { run, kind }: { run: string; kind: string },
): Promise<number | null> {
  if (limit === null) return null;
  const { runs, after } = await costOf(folder, sweep);
  let own = 0;
  for (const judging of await readJudgings(join(folder, run)))
    if (judging.header.kind === kind) own += judging.paid;
  return Math.max(0, limit - runs - after + own);
}

/** The folder of an attribution, and its limit in dollars. */
export interface LimitedAttribution {
  folder: string;
  limit: number | null;
  sweep: Pick<Sweep, "cells">;
  signal?: AbortSignal;
}

/** Names the command that continues the attribution, and not only its runs or grades. Throws what `work` throws. */
export async function withOwnResume<T>(
  { folder, limit, sweep, signal }: LimitedAttribution,
  work: () => Promise<T>,
): Promise<T> {
  try {
    return await work();
  } catch (error) {
    const resume = resumeCommand("attribute", folder);
    if (isFailure(error, "cancelled") || signal?.aborted === true)
      throw new Failure(
        "cancelled",
        `Interrupted: continue with \`${resume}\`.`,
        { folder, resume },
        { cause: error },
      );
    if (!isFailure(error, "limit-met")) throw error;
    const { failed } = error.facts;
    if (failed !== undefined)
      throw new Failure(
        "limit-met",
        `Stopped after ${failed} failed samples (--fail-on-error ${error.facts.limit}): fix the cause and continue with \`${resume}\`.`,
        { ...error.facts, folder, resume },
        { cause: error },
      );
    const { runs, after } = await costOf(folder, sweep);
    throw new Failure(
      "limit-met",
      `The attribution stopped at --total-cost-limit ${limit}, after paying ${money(runs + after)}. Continue with a higher limit: \`${resume} --total-cost-limit ...\`.`,
      { limit, paid: runs + after, folder, resume },
      { cause: error },
    );
  }
}
