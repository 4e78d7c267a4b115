import { END, START, StateGraph } from "@langchain/langgraph";
import { ContextSchema, type GraphContext } from "../context.ts";
import { stage } from "../stage.ts";
import { cite } from "../stages/cite.ts";
import { calculate } from "../stages/mathematics/calculate.ts";
import { readingGraph } from "../stages/recognition-graph.ts";
import { REVIEW_ANSWER, REVIEW_EVIDENCE } from "../stages/review/review.ts";
import { reviewAnswer } from "../stages/review/review-answer.ts";
import { reviewEvidence } from "../stages/review/review-evidence.ts";
import { reviewedThen, TO_CITE, toCite } from "../stages/review/routes.ts";
import { QaState, type State } from "../state.ts";
import { matchWords } from "./match.ts";

/*
 * Without a language model: speech and text on screen, arithmetic that they state, a search that weighs
 * words and numbers, and a rule for when not to answer. The best moments are returned in any case.
 *
 *   START -> recognise -> calculate -+- answered ----------------> cite -> END
 *                                    +- no answer -----> match -> cite
 */
export const extractiveGraph = reasoning()
  .addNode("recognise", readingGraph)
  .addNode(REVIEW_EVIDENCE, reviewEvidence)
  .addEdge(START, "recognise")
  .addConditionalEdges("recognise", reviewedThen("calculate"), [REVIEW_EVIDENCE, "calculate"])
  .addEdge(REVIEW_EVIDENCE, "calculate")
  .compile();

/** The same over given evidence, without recognition. */
export const extractiveReasoningGraph = reasoning().addEdge(START, "calculate").compile();

function reasoning() {
  return new StateGraph(QaState, ContextSchema)
    .addNode("calculate", stage("calculate", calculate))
    .addNode("match", stage("match", matchWords))
    .addNode(REVIEW_ANSWER, reviewAnswer)
    .addNode("cite", stage("cite", cite))
    .addConditionalEdges(
      "calculate",
      (state: State, runtime: { context?: GraphContext }) =>
        state.outcome?.status === "answered" ? toCite(state, runtime) : "match",
      ["match", ...TO_CITE],
    )
    .addConditionalEdges("match", toCite, TO_CITE)
    .addEdge(REVIEW_ANSWER, "cite")
    .addEdge("cite", END);
}
