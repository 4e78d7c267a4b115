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
 * Media of the video and the question in one call.
 *
 *   START -> look -> ask -> cite -> END
 */
function directGraph(shows: Shows) {
  return new StateGraph(QaState, ContextSchema)
    .addNode("look", stage("look", lookAt(shows)))
    .addNode("ask", stage("ask", askDirectly))
    .addNode(REVIEW_ANSWER, reviewAnswer)
    .addNode("cite", stage("cite", cite))
    .addEdge(START, "look")
    .addEdge("look", "ask")
    .addConditionalEdges("ask", toCite, TO_CITE)
    .addEdge(REVIEW_ANSWER, "cite")
    .addEdge("cite", END)
    .compile();
}

/** Compiled graphs, by what the call shows of the video. */
export const directGraphs = {
  video: directGraph("video"),
  "one-frame": directGraph("one-frame"),
  nothing: directGraph("nothing"),
} as const satisfies Record<Shows, unknown>;
