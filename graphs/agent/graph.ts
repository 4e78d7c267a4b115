import { END, START, StateGraph } from "@langchain/langgraph";
import { ContextSchema } from "../context.ts";
import { stage } from "../stage.ts";
import { cite } from "../stages/cite.ts";
import { readingGraph } from "../stages/recognition-graph.ts";
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
  .addNode("cite", stage("cite", cite))
  .addConditionalEdges(
    START,
    ({ question }: Search) => (question.task === "order" ? "fallback" : "recognise"),
    ["fallback", "recognise"],
  )
  .addEdge("recognise", "prepare")
  .addEdge("prepare", "turn")
  .addConditionalEdges("turn", next, ["turn", "tools", "check", "conclude", "fallback"])
  .addEdge("tools", "turn")
  .addConditionalEdges("check", next, ["turn", "verify", "conclude"])
  .addConditionalEdges("verify", next, ["turn", "conclude"])
  .addEdge("conclude", "cite")
  .addEdge("cite", END)
  .addEdge("fallback", END);

function next({ next }: Search) {
  return next;
}

/** The compiled graph, like `videoQaGraph`. */
export const evidenceSearchGraph = evidenceSearch.compile();
