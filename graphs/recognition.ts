import { END, START, StateGraph } from "@langchain/langgraph";
import { ContextSchema } from "./context.ts";
import { captions } from "./nodes/captions.ts";
import { segment } from "./nodes/segment.ts";
import { stage } from "./stage.ts";
import { QaState } from "./state.ts";

/*
 * RECOGNISE: what does the video hold?
 *
 *   START -> segment -+- found ------> caption -> END
 *                     +- not found --> END
 */
export const recognitionGraph = new StateGraph(QaState, ContextSchema)
  .addNode("segment", stage("segment", segment))
  .addNode("caption", stage("caption", captions))
  .addEdge(START, "segment")
  .addConditionalEdges("segment", (state) => (state.outcome === null ? "caption" : END), [
    "caption",
    END,
  ])
  .addEdge("caption", END)
  .compile();
