import { END, START, StateGraph } from "@langchain/langgraph";
import { ContextSchema } from "../context.ts";
import { stage } from "../stage.ts";
import { cite } from "../stages/cite.ts";
import { calculate } from "../stages/mathematics/calculate.ts";
import { readingGraph } from "../stages/recognition-graph.ts";
import { QaState } from "../state.ts";
import { matchWords } from "./match.ts";

/*
 * Without a language model: speech and text on screen, arithmetic that they state, a search that weighs
 * words and numbers, and a rule for when not to answer. The best moments are returned in any case.
 *
 *   START -> recognise -> calculate -+- answered ----------------> cite -> END
 *                                    +- no answer -----> match -> cite
 */
export const extractiveGraph = reasoning()
  .addNode("recognise", readingGraph)
  .addEdge(START, "recognise")
  .addEdge("recognise", "calculate")
  .compile();

/** The same over given evidence, without recognition. */
export const extractiveReasoningGraph = reasoning().addEdge(START, "calculate").compile();

function reasoning() {
  return new StateGraph(QaState, ContextSchema)
    .addNode("calculate", stage("calculate", calculate))
    .addNode("match", stage("match", matchWords))
    .addNode("cite", stage("cite", cite))
    .addConditionalEdges(
      "calculate",
      ({ outcome }) => (outcome?.status === "answered" ? "cite" : "match"),
      ["match", "cite"],
    )
    .addEdge("match", "cite")
    .addEdge("cite", END);
}
