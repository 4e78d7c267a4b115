import { executePlan } from "../../../tools/mathematics/execute-plan.ts";
import type { GraphContext } from "../../context.ts";
import { shownTo } from "./plan.ts";
import type { MathematicsState, MathematicsUpdate } from "./state.ts";

/** The name by which a given cites the question. */
const QUESTION = "Q";

/** Factor on the time limit of a step, for a busy machine: no user waits for a single step. */
const PATIENCE = 3;

/** Calculates and checks every number of the plan with the engine. */
export async function workOutPlan(
  state: MathematicsState,
  { signal }: GraphContext,
): Promise<MathematicsUpdate> {
  const { plan, question } = state;
  if (plan === null || !plan.calculation) return {};
  const options = (question.options ?? []).map(({ text }) => text).join("\n");
  const words = new Map([...shownTo(state)].map(([name, { text }]) => [name, text]));
  words.set(QUESTION, `${question.text}\n${options}`);
  return { planResult: await executePlan(plan, words, { signal, patience: PATIENCE }) };
}
