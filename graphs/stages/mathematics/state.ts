import { Annotation } from "@langchain/langgraph";
import type { PlanResult } from "../../../tools/mathematics/execute-plan.ts";
import type { Plan } from "../../../tools/mathematics/plan.ts";
import { QaState } from "../../state.ts";

/** The state of all graphs, and what is planned and calculated on the way. */
export const MathematicsState = Annotation.Root({
  ...QaState.spec,
  plan: Annotation<Plan | null>({ reducer: (_, next) => next, default: () => null }),
  carried: Annotation<PlanResult | null>({ reducer: (_, next) => next, default: () => null }),
});
export type MathematicsState = typeof MathematicsState.State;
export type MathematicsUpdate = Partial<MathematicsState>;
