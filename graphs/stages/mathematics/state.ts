import { Annotation } from "@langchain/langgraph";
import type { PlanResult } from "../../../tools/mathematics/execute-plan.ts";
import type { Plan } from "../../../tools/mathematics/plan.ts";
import { QaState } from "../../state.ts";

/** The common state, with the plan and its result. */
export const MathematicsState = Annotation.Root({
  ...QaState.spec,
  plan: Annotation<Plan | null>({ reducer: (_, next) => next, default: () => null }),
  planResult: Annotation<PlanResult | null>({ reducer: (_, next) => next, default: () => null }),
});
export type MathematicsState = typeof MathematicsState.State;
export type MathematicsUpdate = Partial<MathematicsState>;
