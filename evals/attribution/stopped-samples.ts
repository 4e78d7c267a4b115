/** A sample that a budget left without an answer. It says nothing about a stage, so it is in no figure. */
export interface StoppedSample {
  sample: string;
  /** The budgets, such as `calls` or `calls, tokens`. */
  by: string;
  /** The run in which it was stopped; missing for an attribution that stores no runs. */
  run?: string;
}

/** Number of samples by budget. */
export function countByBudget(stopped: readonly StoppedSample[]): Record<string, number> {
  return Object.fromEntries(
    [...Map.groupBy(stopped, ({ by }) => by)].map(([by, of]) => [by, of.length]),
  );
}

/** `calls`; with several budgets `calls 3, cost 2`. */
export function budgetText(counts: Readonly<Record<string, number>>): string {
  const all = Object.entries(counts);
  return all.map(([limit, count]) => (all.length === 1 ? limit : `${limit} ${count}`)).join(", ");
}

/** A warning for a report; null if no budget stopped a sample. */
export function stoppedWarning(stopped: readonly StoppedSample[]): string | null {
  const [first] = stopped;
  if (first === undefined) return null;
  const were = stopped.length === 1 ? "1 sample was" : `${stopped.length} samples were`;
  const are = stopped.length === 1 ? "is" : "are";
  return `${were} stopped by a budget (${budgetText(countByBudget(stopped))}) and ${are} in no figure, such as ${placeOf(first)}. Start a new attribution with a higher limit to include them.`;
}

/** `s1 in 1-recognised`. */
export function placeOf({ sample, run }: StoppedSample): string {
  return run === undefined ? sample : `${sample} in ${run}`;
}
