import { END, START, StateGraph } from "@langchain/langgraph";
import { ContextSchema } from "../context.ts";
import { stage } from "../stage.ts";
import { QaState } from "../state.ts";
import { answeringGraph } from "./answering-graph.ts";
import { cite } from "./cite.ts";
import { orderingGraph } from "./ordering-graph.ts";

/*
 * REASON over given evidence, without recognition.
 *
 *   START -+- order --------> put in order ------+-> cite -> END
 *          +- choice, open -> search and reason -+
 */
export const reasoningGraph = new StateGraph(QaState, ContextSchema)
  .addNode("put in order", orderingGraph)
  .addNode("search and reason", answeringGraph)
  .addNode("cite", stage("cite", cite))
  .addConditionalEdges(
    START,
    ({ question }) => (question.task === "order" ? "put in order" : "search and reason"),
    ["put in order", "search and reason"],
  )
  .addEdge("put in order", "cite")
  .addEdge("search and reason", "cite")
  .addEdge("cite", END)
  .compile();
