import { END, START, StateGraph } from "@langchain/langgraph";
import { ContextSchema } from "../../context.ts";
import { stage } from "../../stage.ts";
import { conclude } from "./conclude.ts";
import { planCalculation } from "./plan.ts";
import { MathematicsState } from "./state.ts";
import { workOutPlan } from "./work-out.ts";

/*
 * CALCULATE: a model plans, an engine calculates, and only a checked result becomes an answer.
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
