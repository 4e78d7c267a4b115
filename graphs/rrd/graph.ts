import { END, START, StateGraph } from "@langchain/langgraph";
import { ContextSchema } from "../context.ts";
import { stage } from "../stage.ts";
import { answeringGraph } from "../stages/answering-graph.ts";
import { cite } from "../stages/cite.ts";
import { orderingGraph } from "../stages/ordering-graph.ts";
import { describingGraph } from "../stages/recognition-graph.ts";
import { QaState, type State } from "../state.ts";

/*
 * Strategy `rrd`: RECOGNISE what the video shows and says, then SEARCH it and REASON.
 *
 *   START -> recognise -+- order --------> put in order ------+-> cite -> END
 *                       +- choice, open -> search and reason -+
 *                       +- nothing recognised ----------------+
 */
export const videoQa = new StateGraph(QaState, ContextSchema)
  .addNode("recognise", describingGraph)
  .addNode("put in order", orderingGraph)
  .addNode("search and reason", answeringGraph)
  .addNode("cite", stage("cite", cite))
  .addEdge(START, "recognise")
  .addConditionalEdges("recognise", route, ["put in order", "search and reason", "cite"])
  .addEdge("put in order", "cite")
  .addEdge("search and reason", "cite")
  .addEdge("cite", END);

function route({ question, outcome, evidence }: State) {
  if (question.task === "order") return outcome === null ? "put in order" : "cite";
  // Without captions there may still be text and subtitles to reason over.
  return outcome === null || evidence.length > 0 ? "search and reason" : "cite";
}

/**
 * The compiled graph: `videoQaGraph.invoke({ question }, { context })`. For a checkpointer, compile `videoQa` with it.
 */
export const videoQaGraph = videoQa.compile();
