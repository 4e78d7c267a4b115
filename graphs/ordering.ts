import { END, START, StateGraph } from "@langchain/langgraph";
import { ContextSchema, type GraphContext, requireContext } from "./context.ts";
import { orderAtOnce, orderByComparisons } from "./nodes/order.ts";
import { stage } from "./stage.ts";
import { QaState } from "./state.ts";

/*
 * ORDER: in which order do the described clips reach the goal?
 *
 *   START -+- all-at-once -> order at once --------+-> END
 *          +- merge-sort --> order by comparisons -+
 */
export const orderingGraph = new StateGraph(QaState, ContextSchema)
  .addNode("order at once", stage("order", orderAtOnce))
  .addNode("order by comparisons", stage("order", orderByComparisons))
  .addConditionalEdges(
    START,
    (_state, { context }: { context?: GraphContext }) => {
      const { method } = requireContext(context).settings.reasoning;
      return method === "merge-sort" ? "order by comparisons" : "order at once";
    },
    ["order at once", "order by comparisons"],
  )
  .addEdge("order at once", END)
  .addEdge("order by comparisons", END)
  .compile();
