import { END, START, StateGraph } from "@langchain/langgraph";
import { ContextSchema, type GraphContext, requireContext } from "../context.ts";
import { stage } from "../stage.ts";
import { QaState, type State, type Update } from "../state.ts";
import { captions } from "./captions.ts";
import { readScreen } from "./screen-text.ts";
import { segment } from "./segment.ts";
import { readSpoken } from "./subtitles.ts";

/*
 * RECOGNISE: what does the video hold? With descriptions by a model:
 *
 *   START -> segment -+- found -----> { caption || read text || read subtitles } -> END
 *                     +- not found -> END
 */
export const describingGraph = new StateGraph(QaState, ContextSchema)
  .addNode("segment", stage("segment", segment))
  .addNode("caption", stage("caption", captions))
  .addNode("read text", stage("text", unlessOrdering("text", "Text on screen takes", readScreen)))
  .addNode(
    "read subtitles",
    stage("subtitles", unlessOrdering("subtitles", "Subtitles take", readSpoken)),
  )
  .addEdge(START, "segment")
  .addConditionalEdges(
    "segment",
    (state: State, { context }: Runtime) =>
      state.outcome === null ? ["caption", ...readers(context)] : [END],
    ["caption", "read text", "read subtitles", END],
  )
  .addEdge("caption", END)
  .addEdge("read text", END)
  .addEdge("read subtitles", END)
  .compile();

/*
 * Only what can be read:
 *
 *   START -> { read text || read subtitles } -> END
 */
export const readingGraph = new StateGraph(QaState, ContextSchema)
  .addNode("read text", stage("text", readScreen))
  .addNode("read subtitles", stage("subtitles", readSpoken))
  .addConditionalEdges(
    START,
    (_state: State, { context }: Runtime) => {
      const nodes = readers(context);
      return nodes.length > 0 ? nodes : [END];
    },
    ["read text", "read subtitles", END],
  )
  .addEdge("read text", END)
  .addEdge("read subtitles", END)
  .compile();

type Runtime = { context?: GraphContext };

function readers(context: GraphContext | undefined) {
  const { ocr, subtitles } = requireContext(context).settings.recognition;
  return [
    ...(ocr === "off" ? [] : (["read text"] as const)),
    ...(subtitles === "off" ? [] : (["read subtitles"] as const)),
  ];
}

type Stage = (state: State, context: GraphContext) => Promise<Update>;

/** Shuffled clips are put in order by their descriptions only, as in the paper. */
function unlessOrdering(name: string, take: string, read: Stage): Stage {
  return async (state, context) => {
    if (state.question.task !== "order") return read(state, context);
    const text = `${take} no part in ordering clips, which is done on their descriptions.`;
    context.emit(name, { type: "note", text });
    return {};
  };
}
