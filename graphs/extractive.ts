import { END, START, StateGraph } from "@langchain/langgraph";
import { ContextSchema } from "./context.ts";
import { calculate } from "./nodes/calculate.ts";
import { cite } from "./nodes/cite.ts";
import { matchWords } from "./nodes/match.ts";
import { recognitionGraph } from "./recognition.ts";
import { stage } from "./stage.ts";
import { QaState } from "./state.ts";

/*
 * Without a language model: the words of the video, spoken and on screen, what they state as arithmetic, full-text
 * search, and a rule that says when to say nothing.
 *
 *   START -> recognise -> calculate -+- settled -----------------> cite -> END
 *                                    +- nothing to it -> match -> cite
 */
export const extractiveGraph = new StateGraph(QaState, ContextSchema)
  .addNode("recognise", recognitionGraph)
  .addNode("calculate", stage("calculate", calculate))
  .addNode("match", stage("match", matchWords))
  .addNode("cite", stage("cite", cite))
  .addEdge(START, "recognise")
  .addEdge("recognise", "calculate")
  .addConditionalEdges("calculate", ({ outcome }) => (outcome === null ? "match" : "cite"), [
    "match",
    "cite",
  ])
  .addEdge("match", "cite")
  .addEdge("cite", END)
  .compile();
