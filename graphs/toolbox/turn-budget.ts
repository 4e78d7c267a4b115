import type { Limit } from "../../src/core/shapes.ts";
import type { GraphContext } from "../context.ts";

/** Whether a turn must be the last, and because of which limit. */
export interface TurnBudget {
  ends: boolean;
  limit: Limit | null;
  /** Releases the reservation for the calls after this turn. */
  release(): void;
}

/** A turn that the budget does not end. */
export function freeTurn(ends: boolean): TurnBudget {
  return { ends, limit: null, release: () => undefined };
}

/**
 * Reserves the budget of `after` calls that have to follow this turn, such as the answer.
 * `sizes`: input tokens of each turn so far.
 */
export function reserveTurn(
  sizes: readonly number[],
  after: number,
  { ledger, settings }: Pick<GraphContext, "ledger" | "settings">,
): TurnBudget {
  // A turn sends the conversation again. It is expected to grow as much as in the turn before.
  const now = sizes.at(-1) ?? 0;
  const growth = Math.max(0, now - (sizes.at(-2) ?? now));
  const spent = ledger.spent();
  const foreseen = (turns: number) => {
    const tokens = now + turns * growth + settings.reasoning.max_tokens;
    const each = spent.cost === null || spent.tokens === 0 ? 0 : spent.cost / spent.tokens;
    return { frames: 0, tokens, cost: each * tokens };
  };
  const [here, next] = [foreseen(1), foreseen(2)];
  const both = ledger.reserve({
    calls: 1 + after,
    frames: 0,
    tokens: here.tokens + next.tokens,
    cost: here.cost + next.cost,
  });
  if ("refused" in both) return { ...freeTurn(true), limit: both.refused };
  both.release();
  const held = ledger.reserve({ calls: after, ...next });
  if ("refused" in held) return { ...freeTurn(true), limit: held.refused };
  return { ends: false, limit: null, release: () => held.release() };
}
