import { Annotation, END, START, StateGraph } from "@langchain/langgraph";
import { type AskResult, ask } from "../../graphs/ask.ts";
import { strategies } from "../../graphs/define-strategy.ts";
import type { describingGraph } from "../../graphs/stages/recognition-graph.ts";
import "./registry.ts";

/*
 * What `langgraph.json` names, for LangGraph Studio: the whole in one node that opens the video itself, since a
 * context cannot be typed into a form. The state machines within are those of the strategies.
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
const State = Annotation.Root({ ...Input.spec, asking: Annotation<AskResult | undefined> });

const graphs = await Promise.all(strategies.all().map(({ graph }) => graph()));
/** Each of them is a compiled graph, which `StrategyGraph` says less of. */
const subgraphs = [...new Set(graphs)] as unknown as (typeof describingGraph)[];

export const studioGraph = new StateGraph({ input: Input, stateSchema: State })
  .addNode(
    "ask",
    async ({ video, question, options, goal, settings }, { signal }) => ({
      asking: await ask(video, { text: question, options, goal }, { settings, signal }),
    }),
    { subgraphs },
  )
  .addEdge(START, "ask")
  .addEdge("ask", END)
  .compile();
