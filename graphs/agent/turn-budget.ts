import type { Limit } from "../../src/core/shapes.ts";
import type { GraphContext } from "../context.ts";
import { searchSettings } from "./settings.ts";
import type { Search } from "./state.ts";

/** So many repeated calls end the search. */
const MOST_REPEATED = 3;
/** Further turns after an answer that its evidence contradicts. */
const TURNS_AFTER_CONTRADICTION = 2;

/** Whether a turn must be the last, and the limit that makes it the last. */
export interface TurnBudget {
  ends: boolean;
  limit: Limit | null;
  /** Returns what was reserved for the answer and its verification. */
  release(): void;
}

/** Reserves what an answer and its verification cost, so that this turn cannot use it up. */
export function reserveTurn(state: Search, { ledger, settings }: GraphContext): TurnBudget {
  const turns =
    searchSettings(settings).steps +
    (state.sentBack.includes("contradicted") ? TURNS_AFTER_CONTRADICTION : 0);
  const free = { release: () => undefined, limit: null };
  if (state.spent !== null || state.turns >= turns || state.repeated >= MOST_REPEATED)
    return { ...free, ends: true };
  // A turn sends the conversation again. It is expected to grow as much as in the turn before.
  const now = state.sizes.at(-1) ?? 0;
  const growth = Math.max(0, now - (state.sizes.at(-2) ?? now));
  const spent = ledger.spent();
  const foreseen = (turns: number) => {
    const tokens = now + turns * growth + settings.reasoning.max_tokens;
    const each = spent.cost === null || spent.tokens === 0 ? 0 : spent.cost / spent.tokens;
    return { frames: 0, tokens, cost: each * tokens };
  };
  const after = 1 + (searchSettings(settings).verify ? 1 : 0);
  const [here, next] = [foreseen(1), foreseen(2)];
  const both = ledger.reserve({
    calls: 1 + after,
    frames: 0,
    tokens: here.tokens + next.tokens,
    cost: here.cost + next.cost,
  });
  if ("refused" in both) return { ...free, ends: true, limit: both.refused };
  both.release();
  const held = ledger.reserve({ calls: after, ...next });
  if ("refused" in held) return { ...free, ends: true, limit: held.refused };
  return { ends: false, limit: null, release: () => held.release() };
}
