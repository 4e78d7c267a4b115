import { END, START, StateGraph } from "@langchain/langgraph";
import { ContextSchema } from "./context.ts";
import { cite } from "./nodes/cite.ts";
import { draw } from "./nodes/draw.ts";
import { stage } from "./stage.ts";
import { QaState } from "./state.ts";

/*
 * The papers' random row.
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
