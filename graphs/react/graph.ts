import { END, START, StateGraph } from "@langchain/langgraph";
import { ContextSchema } from "../context.ts";
import { stage } from "../stage.ts";
import { cite } from "../stages/cite.ts";
import { readingGraph } from "../stages/recognition-graph.ts";
import { QaState } from "../state.ts";
import { runAgent } from "./run-agent.ts";

/*
 * A plain loop of model and tools (strategy `react`).
 *
 *   START -> recognise -> loop: createAgent { model <-> tools } -> cite -> END
 */
export const reactGraph = new StateGraph(QaState, ContextSchema)
  .addNode("recognise", readingGraph)
  .addNode("loop", stage("search", runAgent))
  .addNode("cite", stage("cite", cite))
  .addEdge(START, "recognise")
  .addEdge("recognise", "loop")
  .addEdge("loop", "cite")
  .addEdge("cite", END)
  .compile();
