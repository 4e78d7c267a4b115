/** Dollars of a run, summed over the processes that work on it. */
export interface SpendingAccount {
  /** Null: no limit. */
  limit: number | null;
  /** What was billed, `unconfirmed` included. */
  spent: number;
  /** Reserved by calls in flight. */
  reserved: number;
  /** Reserved by processes that ended before they settled. The money may have been spent, so it counts as spent. */
  unconfirmed: number;
}

/** An account, and the run that it belongs to. */
export interface NamedAccount extends SpendingAccount {
  run: string;
}

/**
 * Accounts of runs whose samples are done by several processes. No reservation is granted once spent + reserved reaches the
 * limit, so the overshoot is at most what calls in flight cost above their reservations.
 */
export interface SpendingAccounts {
  /**
   * Opens the account of a run, or changes the limit of an open one. `before`: dollars paid outside of the account; an
   * account that has more keeps what it has. `within`: an open account that has to grant every reservation too.
   */
  open(run: string, limit: number | null, before: number, within?: string): Promise<NamedAccount>;
  /** The account of a run; undefined if it was never opened. */
  read(run: string): Promise<NamedAccount | undefined>;
  /** Reserves dollars in one step, or returns the account that refuses. An account that was not opened has no limit. */
  reserve(run: string, dollars: number): Promise<SpendingHold | { refused: NamedAccount }>;
}

/** Reserved dollars of one call. */
export interface SpendingHold {
  /** Replaces the reserved dollars with the billed ones, and returns the account. Repeated, it does nothing. */
  settle(dollars: number): Promise<NamedAccount | undefined>;
}
