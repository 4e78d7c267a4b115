import { executePlan } from "../../../tools/mathematics/execute-plan.ts";
import type { GraphContext } from "../../context.ts";
import { shownTo } from "./plan.ts";
import type { MathematicsState, MathematicsUpdate } from "./state.ts";

/** Name of the question among what a given may cite. */
const QUESTION = "Q";

/** Nobody waits for a single step here, so a busy machine may take its time. */
const PATIENCE = 3;

/** Has every number of the plan calculated by the engine, and checked. */
export async function workOutPlan(
  state: MathematicsState,
  { signal }: GraphContext,
): Promise<MathematicsUpdate> {
  const { plan, question } = state;
  if (plan === null || !plan.calculation) return {};
  const options = (question.options ?? []).map(({ text }) => text).join("\n");
  const words = new Map([...shownTo(state)].map(([name, { text }]) => [name, text]));
  words.set(QUESTION, `${question.text}\n${options}`);
  return { carried: await executePlan(plan, words, { signal, patience: PATIENCE }) };
}
