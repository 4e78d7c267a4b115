import { END, START, StateGraph } from "@langchain/langgraph";
import { ContextSchema } from "../context.ts";
import { stage } from "../stage.ts";
import { cite } from "../stages/cite.ts";
import { QaState } from "../state.ts";
import { draw } from "./draw.ts";

/*
 * The papers' random baseline.
 *
 *   START -> draw -> cite -> END
 */
export const randomGraph = new StateGraph(QaState, ContextSchema)
  .addNode("draw", stage("draw", draw))
  .addNode("cite", stage("cite", cite))
  .addEdge(START, "draw")
  .addEdge("draw", "cite")
  .addEdge("cite", END)
  .compile();
