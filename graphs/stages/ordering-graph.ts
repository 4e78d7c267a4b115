import { END, START, StateGraph } from "@langchain/langgraph";
import { ContextSchema, type GraphContext, requireContext } from "../context.ts";
import { stage } from "../stage.ts";
import { QaState } from "../state.ts";
import { orderAtOnce } from "./order.ts";
import { rank } from "./rank.ts";

/*
 * ORDER: in which order do the described clips reach the goal?
 *
 *   START -+- all-at-once ----------------------------> order at once -+-> END
 *          +- merge-sort, tournament, vote, hybrid ... -> rank --------+
 */
export const orderingGraph = new StateGraph(QaState, ContextSchema)
  .addNode("order at once", stage("order", orderAtOnce))
  .addNode("rank", stage("order", rank))
  .addConditionalEdges(
    START,
    (_state, { context }: { context?: GraphContext }) => {
      const { method } = requireContext(context).settings.reasoning;
      return method === "all-at-once" ? "order at once" : "rank";
    },
    ["order at once", "rank"],
  )
  .addEdge("order at once", END)
  .addEdge("rank", END)
  .compile();
