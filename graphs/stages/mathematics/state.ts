import { StateSchema } from "@langchain/langgraph";
import { z } from "zod";
import type { PlanResult } from "../../../tools/mathematics/execute-plan.ts";
import type { Plan } from "../../../tools/mathematics/plan.ts";
import { QaState } from "../../state.ts";
import { latestValue } from "../../state-value.ts";

const object = z.record(z.string(), z.unknown()).nullable();

/** The common state, with the plan and its result. */
export const MathematicsState = new StateSchema({
  ...QaState.fields,
  plan: latestValue<Plan | null>(object, null),
  planResult: latestValue<PlanResult | null>(object, null),
});
export type MathematicsState = typeof MathematicsState.State;
export type MathematicsUpdate = Partial<MathematicsState>;
