import { END, START, StateGraph } from "@langchain/langgraph";
import { ContextSchema } from "./context.ts";
import { cite } from "./nodes/cite.ts";
import { act } from "./nodes/evidence-search/act.ts";
import { check } from "./nodes/evidence-search/check.ts";
import { conclude } from "./nodes/evidence-search/conclude.ts";
import { handOver } from "./nodes/evidence-search/hand-over.ts";
import { prepare } from "./nodes/evidence-search/prepare.ts";
import { think } from "./nodes/evidence-search/think.ts";
import { verify } from "./nodes/evidence-search/verify.ts";
import { recognitionGraph } from "./recognition.ts";
import { type Search, SearchState } from "./search-state.ts";
import { stage } from "./stage.ts";

/*
 * An agent that SEARCHES for the frames that matter, with tools, and REASONS over what it was shown (strategy `agent`).
 *
 *   START -+- choice, open -> recognise -> prepare -> think -+- tool calls -> act -> think
 *          |                                          ^      +- answer -> check -+-> verify -+-> conclude -> cite -> END
 *          |                                          +---- once for each reason -+----------+
 *          +- order ---------------------------------> hand over to rrd -> END      (think -> hand over: no tool calls)
 */
export const evidenceSearch = new StateGraph(SearchState, ContextSchema)
  .addNode("recognise", recognitionGraph)
  .addNode("prepare", stage("prepare", prepare))
  .addNode("think", stage("search", think))
  .addNode("act", stage("look", act))
  .addNode("check", stage("check", check))
  .addNode("verify", stage("verify", verify))
  .addNode("conclude", stage("conclude", conclude))
  .addNode("hand over", stage("hand over", handOver))
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
