import { END, START, StateGraph } from "@langchain/langgraph";
import { ContextSchema } from "../context.ts";
import { stage } from "../stage.ts";
import { cite } from "../stages/cite.ts";
import { readingGraph } from "../stages/recognition-graph.ts";
import { check } from "./check-citations.ts";
import { fallBack } from "./fallback.ts";
import { conclude } from "./make-outcome.ts";
import { think } from "./model-turn.ts";
import { prepare } from "./opening-message.ts";
import { act } from "./run-tool-calls.ts";
import { type Search, SearchState } from "./state.ts";
import { verify } from "./verify-answer.ts";

/*
 * An agent that SEARCHES for the frames that matter, with tools, and REASONS over what it was shown (strategy `agent`).
 *
 *   START -+- choice, open -> recognise -> prepare -> think -+- tool calls -> act -> think
 *          |                                          ^      +- answer -> check -+-> verify -+-> conclude -> cite -> END
 *          |                                          +---- once for each reason -+----------+
 *          +- order ---------------------------------> hand over -> END             (think -> hand over: no tool calls)
 */
export const evidenceSearch = new StateGraph(SearchState, ContextSchema)
  .addNode("recognise", readingGraph)
  .addNode("prepare", stage("prepare", prepare))
  .addNode("think", stage("search", think))
  .addNode("act", stage("look", act))
  .addNode("check", stage("check", check))
  .addNode("verify", stage("verify", verify))
  .addNode("conclude", stage("conclude", conclude))
  .addNode("hand over", stage("hand over", fallBack))
  .addNode("cite", stage("cite", cite))
  .addConditionalEdges(
    START,
    ({ question }: Search) => (question.task === "order" ? "hand over" : "recognise"),
    ["hand over", "recognise"],
  )
  .addEdge("recognise", "prepare")
  .addEdge("prepare", "think")
  .addConditionalEdges("think", next, ["think", "act", "check", "conclude", "hand over"])
  .addEdge("act", "think")
  .addConditionalEdges("check", next, ["think", "verify", "conclude"])
  .addConditionalEdges("verify", next, ["think", "conclude"])
  .addEdge("conclude", "cite")
  .addEdge("cite", END)
  .addEdge("hand over", END);

function next({ next }: Search) {
  return next;
}

/** Ready to run, as `videoQaGraph` is. */
export const evidenceSearchGraph = evidenceSearch.compile();
