import { Command, END, type Runtime, START, StateGraph } from "@langchain/langgraph";
import { ContextSchema, type GraphContext } from "../context.ts";
import type { Shows } from "../define-strategy.ts";
import { stage } from "../stage.ts";
import { QaState, type State, type Update } from "../state.ts";
import { askDirectly, lookAt } from "./ask-directly.ts";
import { cite } from "./cite.ts";
import { REVIEW_ANSWER } from "./review/review.ts";
import { reviewAnswer } from "./review/review-answer.ts";
import { isReviewed } from "./review/routes.ts";

/*
 * Media of the video and the question in one call. A control without the video has nothing to look at, and begins with
 * `ask`. All that was sent is cited, so `ask` makes the answer itself unless a person reviews it first: a further step of
 * the graph would take longer than citing.
 *
 *   START -> look -> ask -+- END
 *                         +- review -> cite -> END
 */
function directGraph(shows: Shows) {
  const asking = new StateGraph(QaState, ContextSchema)
    .addNode("ask", askAndGoOn, { ends: [REVIEW_ANSWER] })
    .addNode(REVIEW_ANSWER, reviewAnswer)
    .addNode("cite", stage("cite", cite))
    .addEdge("ask", END)
    .addEdge(REVIEW_ANSWER, "cite")
    .addEdge("cite", END);
  if (shows === "nothing") return asking.addEdge(START, "ask").compile();
  return asking
    .addNode("look", stage("look", lookAt(shows)))
    .addEdge(START, "look")
    .addEdge("look", "ask")
    .compile();
}

const ask = stage("ask", askAndCite);

/** Goes on to the review itself: a conditional edge would read the whole state for each question. */
async function askAndGoOn(
  state: State,
  runtime: Runtime<GraphContext>,
): Promise<Update | Command<unknown, Update, typeof REVIEW_ANSWER>> {
  const update = await ask(state, runtime);
  return isReviewed(runtime.context) ? new Command({ update, goto: REVIEW_ANSWER }) : update;
}

async function askAndCite(state: State, context: GraphContext): Promise<Update> {
  const asked = await askDirectly(state, context);
  if (isReviewed(context)) return asked;
  return { ...asked, ...(await cite({ ...state, ...asked }, context)) };
}

/** Compiled graphs, by what the call shows of the video. */
export const directGraphs = {
  video: directGraph("video"),
  "one-frame": directGraph("one-frame"),
  nothing: directGraph("nothing"),
} as const satisfies Record<Shows, unknown>;
