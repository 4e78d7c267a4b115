import { END, START, StateGraph } from "@langchain/langgraph";
import { ContextSchema } from "./context.ts";
import { answerFromEvidence } from "./nodes/answer.ts";
import { stage } from "./stage.ts";
import { QaState } from "./state.ts";

/*
 * REASON over evidence, for choice and open questions.
 *
 *   START -> answer -> END
 */
export const answeringGraph = new StateGraph(QaState, ContextSchema)
  .addNode("reason", stage("answer", answerFromEvidence))
  .addEdge(START, "reason")
  .addEdge("reason", END)
  .compile();
