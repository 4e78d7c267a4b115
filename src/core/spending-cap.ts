import { Failure } from "./errors.ts";
import { createLedger, NO_BUDGET } from "./ledger.ts";

/** A limit in dollars on what is really paid, shared by all calls of a run, sweep or judging. Cached calls cost nothing. */
export interface SpendingCap {
  /** Dollars; null: no limit. */
  limit: number | null;
  /**
   * Reserves dollars before a call is sent; null where the price is not known.
   * Throws `Failure` `limit-met` if they would exceed the limit.
   */
  reserve(dollars: number | null): {
    /** What was billed in place of what was reserved. Once only. */
    settle(dollars: number | null): void;
  };
  /** Dollars paid so far, those of earlier processes included. */
  paid(): number;
  /** Whether a call was refused, here or by the cap around this one. */
  met(): boolean;
}

/**
 * Makes a cap. `before`: dollars paid already. `onPaid` is told of every payment above 0. `within`: a cap that holds for
 * these calls as well, such as that of a whole sweep.
 */
export function createSpendingCap(
  limit: number | null,
  before = 0,
  onPaid: (dollars: number) => void = () => undefined,
  within?: SpendingCap,
): SpendingCap {
  const left = limit === null ? null : Math.max(0, limit - before);
  const ledger = createLedger({ ...NO_BUDGET, cost: left });
  const amount = (cost: number | null) => ({ calls: 0, frames: 0, tokens: 0, cost });
  let paid = before;
  return {
    limit,
    reserve(dollars) {
      const booked = ledger.reserve(amount(dollars));
      if ("refused" in booked)
        throw new Failure(
          "limit-met",
          `The limit of $${limit} for all calls is reached: $${paid.toFixed(4)} is paid.`,
          { limit, paid },
        );
      let outer: ReturnType<SpendingCap["reserve"]> | undefined;
      try {
        outer = within?.reserve(dollars);
      } catch (error) {
        booked.release();
        throw error;
      }
      return {
        settle(real) {
          outer?.settle(real);
          booked.settle(amount(real));
          paid += real ?? 0;
          if (real !== null && real > 0) onPaid(real);
        },
      };
    },
    paid: () => paid,
    met: () => ledger.met().length > 0 || within?.met() === true,
  };
}
