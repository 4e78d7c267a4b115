/* What each key of the service used, summed by day, strategy and model. */

/** Amounts of usage. Dollars are by the known prices. */
export interface UsageAmounts {
  questions: number;
  calls: number;
  /** Tokens sent. */
  input: number;
  /** Tokens generated. */
  output: number;
  /** Dollars as if nothing had been stored before. */
  cost: number;
  /** Dollars spent: stored replies are free. */
  paid: number;
  /** Calls of models without a known price; their dollars are missing in `cost` and `paid`. */
  unpriced: number;
}

export const NO_AMOUNTS: UsageAmounts = {
  questions: 0,
  calls: 0,
  input: 0,
  output: 0,
  cost: 0,
  paid: 0,
  unpriced: 0,
};

/** One addition. Questions count for the model that they name; calls for the model that was called. */
export interface UsageEntry extends UsageAmounts {
  owner: string;
  /** UTC day, such as `2026-11-21`. */
  day: string;
  strategy: string;
  /** Empty: no model. */
  model: string;
}

export const USAGE_GROUPS = ["day", "model", "strategy", "key"] as const;
/** What usage is summed by. */
export type UsageGroup = (typeof USAGE_GROUPS)[number];

/** The sum of one owner and one group. */
export interface UsageSum extends UsageAmounts {
  owner: string;
  /** The day, the model, the strategy, or the owner again. */
  group: string;
}

/** Usage by owner, day, strategy and model. */
export interface UsageLedger {
  /**
   * Adds all entries, or none of them. If it fails, they may have been added while the reply was lost: write them again as
   * the same `batch`, a random id, which a store outside this process adds once.
   */
  addUsage(entries: readonly UsageEntry[], batch: string): Promise<void>;
  /** Sums by owner and group, sorted by both. `since` and `until` are days, both included; `owner` null: all. */
  usage(
    filter: { owner: string | null; since: string; until: string },
    by: UsageGroup,
  ): Promise<UsageSum[]>;
}
