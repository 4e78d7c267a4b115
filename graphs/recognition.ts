import { END, START, StateGraph } from "@langchain/langgraph";
import { ContextSchema, type GraphContext, requireContext } from "./context.ts";
import { captions } from "./nodes/captions.ts";
import { segment } from "./nodes/segment.ts";
import { readSpoken } from "./nodes/subtitles.ts";
import { stage } from "./stage.ts";
import { QaState, type State } from "./state.ts";

/*
 * RECOGNISE: what does the video hold?
 *
 *   START -> segment -+- found -----> { caption || read } -> END
 *                     +- not found -> END
 */
export const recognitionGraph = new StateGraph(QaState, ContextSchema)
  .addNode("segment", stage("segment", segment))
  .addNode("caption", stage("caption", captions))
  .addNode("read", stage("read", readSpoken))
  .addEdge(START, "segment")
  .addConditionalEdges("segment", recognisers, ["caption", "read", END])
  .addEdge("caption", END)
  .addEdge("read", END)
  .compile();

function recognisers({ outcome }: State, { context }: { context?: GraphContext }) {
  if (outcome !== null) return END;
  const { subtitles } = requireContext(context).settings.recognition;
  return subtitles === "off" ? ["caption"] : ["caption", "read"];
}
