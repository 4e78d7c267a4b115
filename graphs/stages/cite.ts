import { makeEvidenceSet } from "../../src/core/evidence.ts";
import type { Answer } from "../../src/core/shapes.ts";
import type { GraphContext } from "../context.ts";
import { outcome, type State, type Update } from "../state.ts";
import { cutOff } from "./cut-off.ts";
import { unheardSound } from "./unheard-sound.ts";

/** Makes the answer and its evidence set. Only evidence of the set can be cited. */
export async function cite(state: State, context: GraphContext): Promise<Update> {
  const set = makeEvidenceSet(state.evidence, null, state.names);
  const {
    cites,
    reply,
    reasoning,
    error,
    confidence,
    confidence_basis,
    support,
    moments,
    ...found
  } = state.outcome ?? outcome({ status: "not-answered" });
  const known = new Set(set.items.map((item) => item.id));
  const answer: Answer = {
    ...found,
    cites: cites.filter((id) => known.has(id)),
    set: set.id,
    limits_met: context.ledger.met(),
    confidence: confidence ?? null,
    confidence_basis: confidence_basis ?? null,
    ...(support === undefined ? {} : { support }),
    ...(moments === undefined ? {} : { moments }),
    ...(reply === undefined ? {} : { reply }),
    ...(reasoning === undefined ? {} : { reasoning }),
    diagnostics: {
      ...state.diagnostics,
      ...(await unheardSound(state, context)),
      ...cutOff(context),
      ...overshootOf(context),
    },
    usage: context.usage(),
    ...(error === undefined ? {} : { error }),
  };
  return { set, answer };
}

/** By how much the question's budget was exceeded, if it was. */
export function overshootOf({ ledger }: Pick<GraphContext, "ledger">): { overshoot?: object } {
  const overshoot = ledger.overshoot();
  return overshoot.tokens > 0 || overshoot.cost > 0 ? { overshoot } : {};
}
