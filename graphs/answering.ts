import { END, START, StateGraph } from "@langchain/langgraph";
import { ContextSchema } from "./context.ts";
import { answerFromEvidence } from "./nodes/answer.ts";
import { searchForQuestion } from "./nodes/search.ts";
import { stage } from "./stage.ts";
import { QaState } from "./state.ts";

/*
 * SEARCH the evidence for what matters to a choice or open question, then REASON over that.
 *
 *   START -> search -> reason -> END
 */
export const answeringGraph = new StateGraph(QaState, ContextSchema)
  .addNode("search", stage("search", searchForQuestion))
  .addNode("reason", stage("answer", answerFromEvidence))
  .addEdge(START, "search")
  .addEdge("search", "reason")
  .addEdge("reason", END)
  .compile();
