import { END, START, StateGraph } from "@langchain/langgraph";
import { z } from "zod";
import { type Asking, ask } from "./ask.ts";
import { videoQaGraph } from "./video-qa.ts";

/*
 * What `langgraph.json` names, for LangGraph Studio: the whole in one node that opens the video itself, since a
 * context cannot be typed into a form. The state machine within is `videoQaGraph`.
 *
 *   START -> ask -> END
 */
const Input = z.object({
  video: z.string().describe("path of a video file"),
  question: z.string(),
  options: z.array(z.string()).optional().describe("words of the options of a choice question"),
  goal: z.string().optional().describe("what the shuffled clips add up to"),
  settings: z.record(z.string(), z.unknown()).optional().describe("as in a settings file"),
});
const State = Input.extend({ asking: z.custom<Asking>().optional() });

export const studioGraph = new StateGraph({ input: Input, state: State })
  .addNode(
    "ask",
    async ({ video, question, options, goal, settings }, { signal }) => ({
      asking: await ask(video, { text: question, options, goal }, { settings, signal }),
    }),
    { subgraphs: [videoQaGraph] },
  )
  .addEdge(START, "ask")
  .addEdge("ask", END)
  .compile();
