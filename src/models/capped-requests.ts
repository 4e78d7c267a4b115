import type { Waiting } from "../core/calls-in-flight.ts";
import { isFailure } from "../core/errors.ts";
import type { Reserved, SpendingCap } from "../core/spending-cap.ts";

/** What the requests of one call take of a cap, one after another. */
export interface CappedRequests {
  /** Settles what was billed so far, and reserves another request. False: the cap refuses it. */
  again(): Promise<boolean>;
  /** Settles what was billed since. */
  settle(): Promise<void>;
}

/**
 * Reserves the first request. `expected`: dollars of one request; `billed`: dollars of all requests so far; null without a
 * price. Throws `Failure` `limit-met`.
 */
export async function capRequests(
  cap: SpendingCap | undefined,
  expected: number | null,
  billed: () => number | null,
  waiting: Waiting,
): Promise<CappedRequests> {
  let held: Reserved | undefined = await cap?.reserve(expected, waiting);
  let settled = 0;
  const settle = async () => {
    const total = billed();
    await held?.settle(total === null ? null : total - settled);
    settled = total ?? 0;
    held = undefined;
  };
  return {
    settle,
    async again() {
      await settle();
      try {
        held = await cap?.reserve(expected, waiting);
      } catch (error) {
        if (isFailure(error, "limit-met")) return false;
        throw error;
      }
      return true;
    },
  };
}
