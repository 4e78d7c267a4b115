import { Failure } from "./errors.ts";
import { createLedger, NO_BUDGET } from "./ledger.ts";

/** A limit in dollars on actual payments, shared by all calls of a run, sweep or judging. Cached calls cost nothing. */
export interface SpendingCap {
  /** Dollars; null: no limit. */
  limit: number | null;
  /**
   * Reserves dollars before a call is sent; null if the price is unknown.
   * Throws `Failure` `limit-met` if they would exceed the limit.
   */
  reserve(dollars: number | null): Promise<{
    /** Replaces the reserved dollars with the billed ones. Call it once. */
    settle(dollars: number | null): Promise<void>;
  }>;
  /** Dollars paid so far, including those of earlier processes. */
  paid(): number;
  /** Whether a call was refused, by this cap or by `within`. */
  met(): boolean;
}

/**
 * Creates a cap. `before`: dollars paid already. `onPaid` is called for every payment above 0. `within`: a cap that
 * applies to these calls too, such as that of a whole sweep.
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
    async reserve(dollars) {
      const booked = ledger.reserve(amount(dollars));
      if ("refused" in booked) throw limitMet(limit, paid);
      let outer: Awaited<ReturnType<SpendingCap["reserve"]>> | undefined;
      try {
        outer = await within?.reserve(dollars);
      } catch (error) {
        booked.release();
        throw error;
      }
      return {
        async settle(real) {
          booked.settle(amount(real));
          paid += real ?? 0;
          if (real !== null && real > 0) onPaid(real);
          await outer?.settle(real);
        },
      };
    },
    paid: () => paid,
    met: () => ledger.met().length > 0 || within?.met() === true,
  };
}

/** The refusal of a call. `reserved`: dollars of calls in flight. */
export function limitMet(limit: number | null, paid: number, reserved = 0): Failure {
  const inFlight =
    reserved > 0 ? `, and $${reserved.toFixed(4)} is reserved for calls in flight` : "";
  return new Failure(
    "limit-met",
    `The limit of $${limit} for all calls is reached: $${paid.toFixed(4)} is paid${inFlight}.`,
    { limit, paid },
  );
}
