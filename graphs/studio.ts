import { Annotation, END, START, StateGraph } from "@langchain/langgraph";
import { evidenceSearchGraph } from "./agent/graph.ts";
import { type Asking, ask } from "./ask.ts";
import { videoQaGraph } from "./rrd/graph.ts";

/*
 * What `langgraph.json` names, for LangGraph Studio: the whole in one node that opens the video itself, since a
 * context cannot be typed into a form. The state machine within is `videoQaGraph`.
 *
 *   START -> ask -> END
 */
const Input = Annotation.Root({
  /** Path of a video file. */
  video: Annotation<string>,
  question: Annotation<string>,
  /** Words of the options of a choice question. */
  options: Annotation<string[] | undefined>,
  /** What the shuffled clips add up to. */
  goal: Annotation<string | undefined>,
  /** As in a settings file. */
  settings: Annotation<Record<string, unknown> | undefined>,
});
const State = Annotation.Root({ ...Input.spec, asking: Annotation<Asking | undefined> });

export const studioGraph = new StateGraph({ input: Input, stateSchema: State })
  .addNode(
    "ask",
    async ({ video, question, options, goal, settings }, { signal }) => ({
      asking: await ask(video, { text: question, options, goal }, { settings, signal }),
    }),
    { subgraphs: [videoQaGraph, evidenceSearchGraph] },
  )
  .addEdge(START, "ask")
  .addEdge("ask", END)
  .compile();
