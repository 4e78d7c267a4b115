import { END, START, StateGraph } from "@langchain/langgraph";
import { ContextSchema } from "../context.ts";
import { stage } from "../stage.ts";
import { cite } from "../stages/cite.ts";
import { REVIEW_ANSWER } from "../stages/review/review.ts";
import { reviewAnswer } from "../stages/review/review-answer.ts";
import { TO_CITE, toCite } from "../stages/review/routes.ts";
import { QaState } from "../state.ts";
import { draw } from "./draw.ts";

/*
 * The papers' random baseline.
 *
 *   START -> draw -> cite -> END
 */
export const randomGraph = new StateGraph(QaState, ContextSchema)
  .addNode("draw", stage("draw", draw))
  .addNode(REVIEW_ANSWER, reviewAnswer)
  .addNode("cite", stage("cite", cite))
  .addEdge(START, "draw")
  .addConditionalEdges("draw", toCite, TO_CITE)
  .addEdge(REVIEW_ANSWER, "cite")
  .addEdge("cite", END)
  .compile();
