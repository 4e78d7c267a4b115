import { END, START, StateGraph } from "@langchain/langgraph";
import { ContextSchema } from "../context.ts";
import { stage } from "../stage.ts";
import { cite } from "../stages/cite.ts";
import { readingGraph } from "../stages/recognition-graph.ts";
import { REVIEW_ANSWER, REVIEW_EVIDENCE } from "../stages/review/review.ts";
import { reviewAnswer } from "../stages/review/review-answer.ts";
import { reviewEvidence } from "../stages/review/review-evidence.ts";
import { reviewedThen, TO_CITE, toCite } from "../stages/review/routes.ts";
import { QaState } from "../state.ts";
import { runAgent } from "./run-agent.ts";

/*
 * A plain loop of model and tools (strategy `react`).
 *
 *   START -> recognise -> loop: createAgent { model <-> tools } -> cite -> END
 */
export const reactGraph = new StateGraph(QaState, ContextSchema)
  .addNode("recognise", readingGraph)
  .addNode("loop", stage("search", runAgent))
  .addNode(REVIEW_EVIDENCE, reviewEvidence)
  .addNode(REVIEW_ANSWER, reviewAnswer)
  .addNode("cite", stage("cite", cite))
  .addEdge(START, "recognise")
  .addConditionalEdges("recognise", reviewedThen("loop"), [REVIEW_EVIDENCE, "loop"])
  .addEdge(REVIEW_EVIDENCE, "loop")
  .addConditionalEdges("loop", toCite, TO_CITE)
  .addEdge(REVIEW_ANSWER, "cite")
  .addEdge("cite", END)
  .compile();
