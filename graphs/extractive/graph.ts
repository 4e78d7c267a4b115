import { END, START, StateGraph } from "@langchain/langgraph";
import { ContextSchema } from "../context.ts";
import { stage } from "../stage.ts";
import { cite } from "../stages/cite.ts";
import { calculate } from "../stages/mathematics/calculate.ts";
import { readingGraph } from "../stages/recognition-graph.ts";
import { QaState } from "../state.ts";
import { matchWords } from "./match.ts";

/*
 * Without a language model: the words of the video, spoken and on screen, what they state as arithmetic, full-text
 * search, and a rule that says when to say nothing.
 *
 *   START -> recognise -> calculate -+- settled -----------------> cite -> END
 *                                    +- nothing to it -> match -> cite
 */
export const extractiveGraph = reasoning()
  .addNode("recognise", readingGraph)
  .addEdge(START, "recognise")
  .addEdge("recognise", "calculate")
  .compile();

/** The same over evidence that is given, with nothing recognised. */
export const extractiveReasoningGraph = reasoning().addEdge(START, "calculate").compile();

function reasoning() {
  return new StateGraph(QaState, ContextSchema)
    .addNode("calculate", stage("calculate", calculate))
    .addNode("match", stage("match", matchWords))
    .addNode("cite", stage("cite", cite))
    .addConditionalEdges("calculate", ({ outcome }) => (outcome === null ? "match" : "cite"), [
      "match",
      "cite",
    ])
    .addEdge("match", "cite")
    .addEdge("cite", END);
}
