import { END, START, StateGraph } from "@langchain/langgraph";
import { ContextSchema } from "./context.ts";
import { conclude } from "./nodes/mathematics/conclude.ts";
import { planCalculation } from "./nodes/mathematics/plan.ts";
import { MathematicsState } from "./nodes/mathematics/state.ts";
import { workOutPlan } from "./nodes/mathematics/work-out.ts";
import { stage } from "./stage.ts";

/*
 * CALCULATE what can be calculated: a model says what, an engine does it, and only what is checked becomes an answer.
 *
 *   START -> plan -+- nothing to calculate ----------> conclude -> END
 *                  +- givens, steps, checks -> work out -> conclude
 */
export const mathematicsGraph = new StateGraph(MathematicsState, ContextSchema)
  .addNode("plan calculation", stage("mathematics", planCalculation))
  .addNode("work out", stage("mathematics", workOutPlan))
  .addNode("conclude", stage("mathematics", conclude))
  .addEdge(START, "plan calculation")
  .addConditionalEdges(
    "plan calculation",
    ({ plan }) => (plan?.calculation === true ? "work out" : "conclude"),
    ["work out", "conclude"],
  )
  .addEdge("work out", "conclude")
  .addEdge("conclude", END)
  .compile();
