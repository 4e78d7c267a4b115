import { END, START, StateGraph } from "@langchain/langgraph";
import { ContextSchema, type GraphContext } from "../context.ts";
import { stage } from "../stage.ts";
import { answeringGraph } from "../stages/answering-graph.ts";
import { cite } from "../stages/cite.ts";
import { orderingGraph } from "../stages/ordering-graph.ts";
import { describingGraph } from "../stages/recognition-graph.ts";
import { REVIEW_ANSWER, REVIEW_EVIDENCE } from "../stages/review/review.ts";
import { reviewAnswer } from "../stages/review/review-answer.ts";
import { reviewEvidence } from "../stages/review/review-evidence.ts";
import { TO_CITE, toCite } from "../stages/review/routes.ts";
import { QaState, type State } from "../state.ts";

/*
 * Strategy `rrd`: RECOGNISE what the video shows and says, then SEARCH it and REASON.
 *
 *   START -> recognise -+- order --------> put in order ------+-> cite -> END
 *                       +- choice, open -> search and reason -+
 *                       +- nothing recognised ----------------+
 *
 * With a review, a person corrects the evidence after `recognise`, or the answer before `cite`.
 */
export const videoQa = new StateGraph(QaState, ContextSchema)
  .addNode("recognise", describingGraph)
  .addNode("put in order", orderingGraph)
  .addNode("search and reason", answeringGraph)
  .addNode(REVIEW_EVIDENCE, reviewEvidence)
  .addNode(REVIEW_ANSWER, reviewAnswer)
  .addNode("cite", stage("cite", cite))
  .addEdge(START, "recognise")
  .addConditionalEdges(
    "recognise",
    (state: State, runtime: { context?: GraphContext }) =>
      runtime.context?.review === "evidence" ? REVIEW_EVIDENCE : route(state, runtime),
    [REVIEW_EVIDENCE, "put in order", "search and reason", ...TO_CITE],
  )
  .addConditionalEdges(REVIEW_EVIDENCE, route, ["put in order", "search and reason", ...TO_CITE])
  .addConditionalEdges("put in order", toCite, TO_CITE)
  .addConditionalEdges("search and reason", toCite, TO_CITE)
  .addEdge(REVIEW_ANSWER, "cite")
  .addEdge("cite", END);

function route(state: State, runtime: { context?: GraphContext }) {
  const { question, outcome, evidence } = state;
  if (question.task === "order") return outcome === null ? "put in order" : toCite(state, runtime);
  // Without captions there may still be text and subtitles to reason over.
  return outcome === null || evidence.length > 0 ? "search and reason" : toCite(state, runtime);
}

/**
 * The compiled graph: `videoQaGraph.invoke({ question }, { context })`. For a checkpointer, compile `videoQa` with it.
 */
export const videoQaGraph = videoQa.compile();
