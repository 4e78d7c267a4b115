import { END, START, StateGraph } from "@langchain/langgraph";
import { ContextSchema } from "../context.ts";
import { stage } from "../stage.ts";
import { cite } from "../stages/cite.ts";
import { readingGraph } from "../stages/recognition-graph.ts";
import { REVIEW_ANSWER, REVIEW_EVIDENCE } from "../stages/review/review.ts";
import { reviewAnswer } from "../stages/review/review-answer.ts";
import { reviewEvidence } from "../stages/review/review-evidence.ts";
import {
  citeOrEnd,
  reviewedThen,
  TO_CITE,
  TO_CITE_OR_END,
  toCite,
  toCiteOrEnd,
} from "../stages/review/routes.ts";
import { checkCitations } from "./check-citations.ts";
import { fallBack } from "./fallback.ts";
import { makeOutcome } from "./make-outcome.ts";
import { modelTurn } from "./model-turn.ts";
import { openingMessage } from "./opening-message.ts";
import { runToolCalls } from "./run-tool-calls.ts";
import { type Search, SearchState } from "./state.ts";
import { verifyAnswer } from "./verify-answer.ts";

/*
 * An agent that SEARCHES for the frames that matter, with tools, and REASONS over what it was shown (strategy `agent`).
 *
 *   START -+- choice, open -> recognise -> prepare -> turn -+- tool calls -> tools -> turn
 *          |                                          ^     +- answer -> check -+-> verify -+-> conclude -> cite -> END
 *          |                                          +--- once for each reason -+----------+
 *          +- order ---------------------------------> fallback -> END              (turn -> fallback: no tool calls)
 */
export const evidenceSearch = new StateGraph(SearchState, ContextSchema)
  .addNode("recognise", readingGraph)
  .addNode("prepare", stage("prepare", openingMessage))
  .addNode("turn", stage("search", modelTurn))
  .addNode("tools", stage("look", runToolCalls))
  .addNode("check", stage("check", checkCitations))
  .addNode("verify", stage("verify", verifyAnswer))
  .addNode("conclude", stage("conclude", makeOutcome))
  .addNode("fallback", stage("fallback", fallBack))
  .addNode(REVIEW_EVIDENCE, reviewEvidence)
  .addNode(REVIEW_ANSWER, reviewAnswer)
  .addNode("cite", stage("cite", cite))
  .addConditionalEdges(
    START,
    ({ question }: Search) => (question.task === "order" ? "fallback" : "recognise"),
    ["fallback", "recognise"],
  )
  .addConditionalEdges("recognise", reviewedThen("prepare"), [REVIEW_EVIDENCE, "prepare"])
  .addEdge(REVIEW_EVIDENCE, "prepare")
  .addEdge("prepare", "turn")
  .addConditionalEdges("turn", next, ["turn", "tools", "check", "conclude", "fallback"])
  .addEdge("tools", "turn")
  .addConditionalEdges("check", next, ["turn", "verify", "conclude"])
  .addConditionalEdges("verify", next, ["turn", "conclude"])
  .addConditionalEdges("conclude", toCite, TO_CITE)
  .addEdge("cite", END)
  .addConditionalEdges("fallback", toCiteOrEnd, TO_CITE_OR_END)
  .addConditionalEdges(REVIEW_ANSWER, citeOrEnd, ["cite", END]);

function next({ next }: Search) {
  return next;
}

/** The compiled graph, like `videoQaGraph`. */
export const evidenceSearchGraph = evidenceSearch.compile();
