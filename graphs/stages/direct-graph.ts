import { END, START, StateGraph } from "@langchain/langgraph";
import { ContextSchema } from "../context.ts";
import type { Shows } from "../define-strategy.ts";
import { stage } from "../stage.ts";
import { QaState } from "../state.ts";
import { askDirectly, lookAt } from "./ask-directly.ts";
import { cite } from "./cite.ts";
import { REVIEW_ANSWER } from "./review/review.ts";
import { reviewAnswer } from "./review/review-answer.ts";
import { TO_CITE, toCite } from "./review/routes.ts";

/*
 * Media of the video and the question in one call. A control without the video has nothing to look at, and begins with
 * `ask`.
 *
 *   START -> look -> ask -> cite -> END
 */
function directGraph(shows: Shows) {
  const asking = new StateGraph(QaState, ContextSchema)
    .addNode("ask", stage("ask", askDirectly))
    .addNode(REVIEW_ANSWER, reviewAnswer)
    .addNode("cite", stage("cite", cite))
    .addConditionalEdges("ask", toCite, TO_CITE)
    .addEdge(REVIEW_ANSWER, "cite")
    .addEdge("cite", END);
  if (shows === "nothing") return asking.addEdge(START, "ask").compile();
  return asking
    .addNode("look", stage("look", lookAt(shows)))
    .addEdge(START, "look")
    .addEdge("look", "ask")
    .compile();
}

/** Compiled graphs, by what the call shows of the video. */
export const directGraphs = {
  video: directGraph("video"),
  "one-frame": directGraph("one-frame"),
  nothing: directGraph("nothing"),
} as const satisfies Record<Shows, unknown>;
