import type { Limit } from "./shapes.ts";

/** Amounts of one call, estimated or actual. `cost` in dollars, null if no price is known. */
export interface Spend {
  calls: number;
  frames: number;
  tokens: number;
  cost: number | null;
}

/** Limits; null means no limit. `seconds` is wall time since the ledger was created. */
export interface Budget {
  calls: number | null;
  frames: number | null;
  tokens: number | null;
  seconds: number | null;
  cost: number | null;
}

/** A budget without limits. */
export const NO_BUDGET: Budget = {
  calls: null,
  frames: null,
  tokens: null,
  seconds: null,
  cost: null,
};

/** Amounts that are reserved for one call. */
export interface Reservation {
  /** Replaces the estimated amounts with the actual ones. Later calls do nothing. */
  settle(real: Spend): void;
  /** Returns the reserved amounts, because the call was not made. */
  release(): void;
}

/** What a question may spend and has spent. */
export interface Ledger {
  /** Reserves amounts before a call, so that concurrent calls cannot exceed a limit; or returns the limit that refuses. */
  reserve(foreseen: Spend): Reservation | { refused: Limit };
  /** Whether the amount could be reserved now. Does not affect `met`. */
  fits(foreseen: Spend): boolean;
  /** Settled amounts. */
  spent(): Spend & { seconds: number };
  /** Limits that refused a call, in the order of `LIMITS`. */
  met(): Limit[];
  /** What remains of each limit, with reserved amounts counted as spent; null if there is no limit. */
  left(): Budget;
  /**
   * Adds amounts that an earlier process settled; `-1` takes them back, because the same call is about to be repeated.
   */
  restore(spent: Spend, sign?: 1 | -1): void;
  /** Continues after so many seconds in earlier processes, in which these limits refused a call. */
  resume(earlier: { seconds: number; met: readonly Limit[] }): void;
  /** Settled amounts above a limit, from calls in flight whose replies were longer than estimated. 0 without a limit. */
  overshoot(): { tokens: number; cost: number };
}

/** Dollars. Sums of prices are binary fractions: ten times 0.1 must fit into 1. */
const ROUNDING = 1e-9;

/**
 * Creates a ledger. `now` returns milliseconds; tests replace it. `within`: a shared ledger, in which every reservation
 * is made too. Either ledger can refuse.
 */
export function createLedger(
  budget: Budget,
  now: () => number = () => performance.now(),
  within?: Ledger,
): Ledger {
  let began = now();
  /** `cost` sums the calls with a price; `unpriced` counts those without one. */
  const settled = { calls: 0, frames: 0, tokens: 0, cost: 0 };
  let unpriced = 0;
  const reserved = { calls: 0, frames: 0, tokens: 0, cost: 0 };
  const refusals = new Set<Limit>();
  const seconds = () => (now() - began) / 1000;
  const taken = {
    calls: () => settled.calls + reserved.calls,
    frames: () => settled.frames + reserved.frames,
    tokens: () => settled.tokens + reserved.tokens,
    cost: () => settled.cost + reserved.cost,
  };

  function obstacle(want: Spend): Limit | undefined {
    if (budget.calls !== null && taken.calls() + want.calls > budget.calls) return "calls";
    if (budget.frames !== null && taken.frames() + want.frames > budget.frames) return "frames";
    if (budget.tokens !== null && taken.tokens() + want.tokens > budget.tokens) return "tokens";
    if (budget.seconds !== null && seconds() >= budget.seconds) return "seconds";
    if (budget.cost !== null && taken.cost() + (want.cost ?? 0) > budget.cost + ROUNDING)
      return "cost";
    return undefined;
  }

  function reserve(foreseen: Spend): Reservation | { refused: Limit } {
    const own = obstacle(foreseen);
    const shared = own === undefined ? within?.reserve(foreseen) : undefined;
    const refused =
      own ?? (shared !== undefined && "refused" in shared ? shared.refused : undefined);
    if (refused !== undefined) {
      refusals.add(refused);
      return { refused };
    }
    const outer = shared as Reservation | undefined;
    move(foreseen, 1);
    let open = true;
    const close = () => {
      if (!open) return false;
      open = false;
      move(foreseen, -1);
      return true;
    };
    return {
      settle(real) {
        if (!close()) return;
        outer?.settle(real);
        settled.calls += real.calls;
        settled.frames += real.frames;
        settled.tokens += real.tokens;
        settled.cost += real.cost ?? 0;
        if (real.cost === null) unpriced++;
      },
      release() {
        if (close()) outer?.release();
      },
    };
  }

  function move(amount: Spend, sign: 1 | -1) {
    reserved.calls += sign * amount.calls;
    reserved.frames += sign * amount.frames;
    reserved.tokens += sign * amount.tokens;
    reserved.cost += sign * (amount.cost ?? 0);
  }

  const minus = (ceiling: number | null, amount: number) =>
    ceiling === null ? null : Math.max(0, ceiling - amount);
  const above = (ceiling: number | null, amount: number) =>
    ceiling === null || amount <= ceiling + ROUNDING ? 0 : amount - ceiling;
  const least = (a: number | null, b: number | null | undefined) =>
    a === null || b == null ? (a ?? b ?? null) : Math.min(a, b);
  return {
    reserve,
    fits: (foreseen) => obstacle(foreseen) === undefined && (within?.fits(foreseen) ?? true),
    spent: () => ({ ...settled, cost: unpriced > 0 ? null : settled.cost, seconds: seconds() }),
    met: () =>
      (["calls", "frames", "tokens", "seconds", "cost"] as const).filter((limit) =>
        refusals.has(limit),
      ),
    left: () => {
      const shared = within?.left();
      return {
        calls: least(minus(budget.calls, taken.calls()), shared?.calls),
        frames: least(minus(budget.frames, taken.frames()), shared?.frames),
        tokens: least(minus(budget.tokens, taken.tokens()), shared?.tokens),
        seconds: least(minus(budget.seconds, seconds()), shared?.seconds),
        cost: least(minus(budget.cost, taken.cost()), shared?.cost),
      };
    },
    restore(spent, sign = 1) {
      settled.calls += sign * spent.calls;
      settled.frames += sign * spent.frames;
      settled.tokens += sign * spent.tokens;
      settled.cost += sign * (spent.cost ?? 0);
      if (spent.cost === null) unpriced += sign;
    },
    resume({ seconds, met }) {
      began -= seconds * 1000;
      for (const limit of met) refusals.add(limit);
    },
    overshoot: () => ({
      tokens: above(budget.tokens, settled.tokens),
      cost: above(budget.cost, settled.cost),
    }),
  };
}
