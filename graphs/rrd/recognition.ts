import { END, START, StateGraph } from "@langchain/langgraph";
import { ocrMode, subtitleMode } from "../../src/core/settings.ts";
import { ContextSchema, type GraphContext, requireContext } from "../context.ts";
import { stage } from "../stage.ts";
import { captions } from "../stages/captions.ts";
import { readScreen } from "../stages/screen-text.ts";
import { segment } from "../stages/segment.ts";
import { readSpoken } from "../stages/subtitles.ts";
import { QaState, type State } from "../state.ts";

/*
 * RECOGNISE: what does the video hold?
 *
 *   START -+- with a model -> segment -+- found -----> { caption || read text || read subtitles } -> END
 *          |                           +- not found -> END
 *          +- without one ----------------------------> { read text || read subtitles } -----------> END
 */
export const recognitionGraph = new StateGraph(QaState, ContextSchema)
  .addNode("segment", stage("segment", segment))
  .addNode("caption", stage("caption", captions))
  .addNode("read text", stage("text", readScreen))
  .addNode("read subtitles", stage("subtitles", readSpoken))
  .addConditionalEdges(
    START,
    (state: State, { context }: Runtime) =>
      requireContext(context).settings.strategy === "rrd" ? ["segment"] : readers(state, context),
    ["segment", "read text", "read subtitles", END],
  )
  .addConditionalEdges(
    "segment",
    (state: State, { context }: Runtime) =>
      state.outcome === null ? ["caption", ...readers(state, context)] : [END],
    ["caption", "read text", "read subtitles", END],
  )
  .addEdge("caption", END)
  .addEdge("read text", END)
  .addEdge("read subtitles", END)
  .compile();

type Runtime = { context?: GraphContext };

function readers({ question }: State, context: GraphContext | undefined) {
  const { settings } = requireContext(context);
  const nodes = [
    ...(ocrMode(settings, question.task) === "off" ? [] : (["read text"] as const)),
    ...(subtitleMode(settings, question.task) === "off" ? [] : (["read subtitles"] as const)),
  ];
  return nodes.length > 0 ? nodes : [END];
}
