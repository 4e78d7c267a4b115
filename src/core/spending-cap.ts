import { callsInFlight, type Waiting } from "./calls-in-flight.ts";
import { Failure } from "./errors.ts";
import { createLedger, NO_BUDGET } from "./ledger.ts";
import { money } from "./money.ts";

/** A limit in dollars on actual payments, shared by all calls of a run, sweep or judging. Cached calls cost nothing. */
export interface SpendingCap {
  /** Dollars; null: no limit. */
  limit: number | null;
  /**
   * Reserves dollars before a call is sent; null if the price is unknown. If they fit only without what is reserved for
   * calls in flight of this process, it waits for these: most cost less than was reserved.
   * Throws `Failure` `limit-met` if they would exceed the limit.
   */
  reserve(dollars: number | null, options?: Waiting): Promise<Reserved>;
  /** Dollars paid so far, including those of earlier processes. */
  paid(): number;
  /** Whether a call was refused, by this cap or by `within`. */
  met(): boolean;
}

/** Dollars that are reserved for one call. */
export interface Reserved {
  /** Replaces the reserved dollars with the billed ones. Call it once. */
  settle(dollars: number | null): Promise<void>;
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
  const inFlight = callsInFlight();
  let paid = before;
  const wouldFitAlone = (dollars: number | null) =>
    left === null || (ledger.spent().cost ?? 0) + (dollars ?? 0) <= left;
  return {
    limit,
    async reserve(dollars, options) {
      while (!ledger.fits(amount(dollars)) && wouldFitAlone(dollars))
        if (!(await inFlight.next(inFlight.settled(), options))) break;
      const booked = ledger.reserve(amount(dollars));
      if ("refused" in booked) throw limitMet(limit, paid);
      const call = inFlight.begin();
      let outer: Reserved | undefined;
      try {
        outer = await within?.reserve(dollars, options);
      } catch (error) {
        booked.release();
        call.settled();
        throw error;
      }
      return {
        async settle(real) {
          booked.settle(amount(real));
          call.settled();
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
  const inFlight = reserved > 0 ? `, and ${money(reserved)} is reserved for calls in flight` : "";
  return new Failure(
    "limit-met",
    `The limit of $${limit} for all calls is reached: ${money(paid)} is paid${inFlight}.`,
    { limit, paid },
  );
}
