import type { Sample } from "../benchmarks/sample.ts";
import { isAsked, variantOf } from "./option-orders.ts";
import { openTasks } from "./resumable-pool.ts";
import type { StoredLine } from "./run-folder.ts";
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
  const results = new Map(before.map((result) => [`${result.epoch} ${result.sample}`, result]));
  const all = Array.from({ length: epochs * orders }, (_, index) => {
    const epoch = index + 1;
    return samples
      .filter((sample) => isAsked(sample, epoch, orders))
      .map((sample) => ({ sample, epoch, result: results.get(`${epoch} ${sample.id}`) }));
  }).flat();
  const { open, total } = openTasks(all, ({ result }) => result);
  const tasks = open.map(
    ({ item: { sample, epoch }, attempt }): Task => ({
      ...{ sample, epoch, attempt },
      ...variantOf(epoch, orders),
    }),
  );
  let progress = noProgress(total);
  for (const { result } of all)
    if (result !== undefined && result.error === undefined)
      progress = addLine(progress, result, false, extractor);
  const paid = before.reduce((sum, { usage }) => sum + (usage.paid ?? 0), 0);
  return { tasks, progress, paid };
}
