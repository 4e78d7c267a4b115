import { END, START, StateGraph } from "@langchain/langgraph";
import { ContextSchema, type GraphContext, requireContext } from "../context.ts";
import { stage } from "../stage.ts";
import { QaState, type State, type Update } from "../state.ts";
import { captions } from "./captions.ts";
import { readScreen } from "./screen-text.ts";
import { segment } from "./segment.ts";
import { readSpoken } from "./subtitles.ts";

/*
 * RECOGNISE what the video shows and says, with descriptions by a model:
 *
 *   START -> segment -+- found ---------> { caption || read text || read subtitles } -> END
 *                     +- no pictures ---> read subtitles -> END
 *                     +- not found -----> END
 */
export const describingGraph = new StateGraph(QaState, ContextSchema)
  .addNode("segment", stage("segment", segment))
  .addNode("caption", stage("caption", captions))
  .addNode("read text", stage("text", unlessOrdering("text", "Text on screen is", readScreen)))
  .addNode(
    "read subtitles",
    stage("subtitles", unlessOrdering("subtitles", "Subtitles are", readSpoken)),
  )
  .addEdge(START, "segment")
  .addConditionalEdges(
    "segment",
    (state: State, { context }: Runtime) => {
      if (state.outcome !== null) return [END];
      const nodes = readers(context);
      if (requireContext(context).video.probe.video !== null) return ["caption", ...nodes];
      return nodes.includes("read subtitles") ? ["read subtitles"] : [END];
    },
    ["caption", "read text", "read subtitles", END],
  )
  .addEdge("caption", END)
  .addEdge("read text", END)
  .addEdge("read subtitles", END)
  .compile();

/*
 * The same without descriptions:
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

function readers(context: GraphContext | undefined): ("read text" | "read subtitles")[] {
  const { ocr, subtitles } = requireContext(context).settings.recognition;
  return [
    ...(ocr === "off" ? [] : (["read text"] as const)),
    ...(subtitles === "off" ? [] : (["read subtitles"] as const)),
  ];
}

type Stage = (state: State, context: GraphContext) => Promise<Update>;

/** Shuffled clips are put in order by their descriptions only, as in the paper. */
function unlessOrdering(name: string, subject: string, read: Stage): Stage {
  return async (state, context) => {
    if (state.question.task !== "order") return read(state, context);
    const text = `${subject} not used to order clips, only their descriptions are.`;
    context.emit(name, { type: "note", text });
    return {};
  };
}
