import type { GraphContext } from "../context.ts";
import { searchSettings } from "../toolbox/search-settings.ts";
import { freeTurn, reserveTurn, type TurnBudget } from "../toolbox/turn-budget.ts";
import type { Search } from "./state.ts";

/** So many repeated calls end the search. */
const MOST_REPEATED = 3;
/** Further turns after an answer that its evidence contradicts. */
const TURNS_AFTER_CONTRADICTION = 2;
/** Frames that are reserved for the call that verifies the answer. */
export const KEPT_FOR_VERIFYING = 3;

export function keptForVerifying({ settings }: Pick<GraphContext, "settings">): number {
  return searchSettings(settings).verify ? KEPT_FOR_VERIFYING : 0;
}

/** Reserves what an answer and its verification cost; ends the search after its turns, and after repeated calls. */
export function reserveAnswer(state: Search, context: GraphContext): TurnBudget {
  const { steps, verify } = searchSettings(context.settings);
  const turns = steps + (state.sentBack.includes("contradicted") ? TURNS_AFTER_CONTRADICTION : 0);
  if (state.spent !== null || state.turns >= turns || state.repeated >= MOST_REPEATED)
    return freeTurn(true);
  return reserveTurn(state.sizes, 1 + (verify ? 1 : 0), context);
}
