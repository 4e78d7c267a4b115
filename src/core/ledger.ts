import type { Limit } from "./shapes.ts";

/** Amounts of one call, foreseen or real. `cost` in dollars, null where no price is known. */
export interface Spend {
  calls: number;
  frames: number;
  tokens: number;
  cost: number | null;
}

/** Ceilings; null is no ceiling. `seconds` is wall time since the ledger was made. */
export interface Budget {
  calls: number | null;
  frames: number | null;
  tokens: number | null;
  seconds: number | null;
  cost: number | null;
}

export const NO_BUDGET: Budget = {
  calls: null,
  frames: null,
  tokens: null,
  seconds: null,
  cost: null,
};

export interface Reservation {
  /** Replaces the foreseen amounts by the real ones. Once only; later calls do nothing. */
  settle(real: Spend): void;
  /** Gives the reserved amounts back: the call was not made. */
  release(): void;
}

export interface Ledger {
  /** Reserves before the call, so that calls in flight together cannot overshoot; or names the limit that stands in the way. */
  reserve(foreseen: Spend): Reservation | { refused: Limit };
  /** Whether such an amount could be reserved now. Unlike a refusal it leaves no trace in `met`. */
  fits(foreseen: Spend): boolean;
  /** Settled amounts. */
  spent(): Spend & { seconds: number };
  /** Limits that refused a call, in the order of `LIMITS`. */
  met(): Limit[];
  /** What is left before each ceiling, with what is reserved counted as spent; null where there is none. */
  left(): Budget;
  /** Settled amounts beyond a ceiling: replies longer than expected, in calls that were in flight. 0 without a ceiling. */
  overshoot(): { tokens: number; cost: number };
}

/** Sums of prices are binary fractions: ten times 0.1 has to fit into 1. In dollars. */
const ROUNDING = 1e-9;

/**
 * Makes a ledger. `now` in milliseconds, for tests. `within`: a ledger that several share; what is reserved here is
 * reserved there too, and either can refuse.
 */
export function createLedger(
  budget: Budget,
  now: () => number = () => performance.now(),
  within?: Ledger,
): Ledger {
  const began = now();
  /** `cost` sums what has a price; `priced` is false once a call had none. */
  const settled = { calls: 0, frames: 0, tokens: 0, cost: 0 };
  let priced = true;
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
        if (real.cost === null) priced = false;
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
    spent: () => ({ ...settled, cost: priced ? settled.cost : null, seconds: seconds() }),
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
    overshoot: () => ({
      tokens: above(budget.tokens, settled.tokens),
      cost: above(budget.cost, settled.cost),
    }),
  };
}
