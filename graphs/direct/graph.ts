import { END, START, StateGraph } from "@langchain/langgraph";
import { ContextSchema } from "../context.ts";
import { stage } from "../stage.ts";
import { cite } from "../stages/cite.ts";
import { QaState } from "../state.ts";
import { askDirectly, look } from "./ask-model.ts";

/*
 * Frames and question in one call: `direct`, and without frames `blind`, with one `key-frame`.
 *
 *   START -> look -> ask -> cite -> END
 */
export const directGraph = new StateGraph(QaState, ContextSchema)
  .addNode("look", stage("look", look))
  .addNode("ask", stage("ask", askDirectly))
  .addNode("cite", stage("cite", cite))
  .addEdge(START, "look")
  .addEdge("look", "ask")
  .addEdge("ask", "cite")
  .addEdge("cite", END)
  .compile();
