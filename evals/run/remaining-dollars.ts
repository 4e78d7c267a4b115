/** What several pieces of work, one after another, may pay together. */
export interface RemainingDollars {
  /** What the next piece may pay, in dollars; null: any amount. */
  left(): number | null;
  /** Counts the dollars of a piece. */
  spend(dollars: number): void;
  /** Dollars that are paid. */
  spent(): number;
}

/**
 * Creates it for a limit in dollars, null for none, of which some are paid already.
 *
 * @example
 * const dollars = remainingDollars(20, 12.5);
 * for (const run of runs) await judgeResults(run, input, { folder, ...limitedBy(dollars) });
 */
export function remainingDollars(limit: number | null, paid = 0): RemainingDollars {
  let spent = paid;
  return {
    left: () => (limit === null ? null : Math.max(0, limit - spent)),
    spend(dollars) {
      spent += dollars;
    },
    spent: () => spent,
  };
}

/** The options of a judging that may pay what is left, and counts what it paid. */
export function limitedBy({ left, spend }: RemainingDollars): {
  total_cost_limit: number | null;
  onPaid: (dollars: number) => void;
} {
  return { total_cost_limit: left(), onPaid: spend };
}
