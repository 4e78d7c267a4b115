import type { Sample } from "../benchmarks/sample.ts";
import type { StoredLine } from "./line-summary.ts";
import { isAsked, variantOf } from "./option-orders.ts";
import { nextAttempt } from "./resumable-pool.ts";
import type { EvalHeader } from "./run-header.ts";
import { addLine, noProgress, type RunProgress } from "./run-progress.ts";

/** A sample to be asked in one epoch. */
export interface Task {
  sample: Sample;
  epoch: number;
  attempt: number;
  /** Repetition of the question with this order of its options, from 0. */
  round: number;
  /** Positions by which the options are shifted. */
  shift: number;
}

/** The tasks without a good result, epoch by epoch, with the progress and payments so far. `extractor` counts right answers. */
export function remainingTasks(
  samples: readonly Sample[],
  { epochs, option_orders: orders = 1 }: Pick<EvalHeader, "epochs" | "option_orders">,
  before: readonly StoredLine[],
  extractor: string,
): { tasks: Task[]; progress: RunProgress; paid: number } {
  const byEpoch = Map.groupBy(before, ({ epoch }) => epoch);
  const tasks: Task[] = [];
  let progress = noProgress(0);
  let total = 0;
  for (const epoch of Array.from({ length: epochs * orders }, (_, index) => index + 1)) {
    const results = new Map(byEpoch.get(epoch)?.map((line) => [line.sample, line]));
    const variant = variantOf(epoch, orders);
    for (const sample of samples) {
      if (!isAsked(sample, epoch, orders)) continue;
      total++;
      const result = results.get(sample.id);
      const attempt = nextAttempt(result);
      if (attempt !== null) tasks.push({ sample, epoch, attempt, ...variant });
      else if (result !== undefined) progress = addLine(progress, result, false, extractor);
    }
  }
  const paid = before.reduce((sum, { usage }) => sum + (usage.paid ?? 0), 0);
  return { tasks, progress: { ...progress, total }, paid };
}
