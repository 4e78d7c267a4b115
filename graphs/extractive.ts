import { END, START, StateGraph } from "@langchain/langgraph";
import { ContextSchema } from "./context.ts";
import { cite } from "./nodes/cite.ts";
import { matchWords, readWords } from "./nodes/match.ts";
import { stage } from "./stage.ts";
import { QaState } from "./state.ts";

/*
 * Without a language model: the words of the video, full-text search, and a rule that says when to say nothing.
 *
 *   START -> read -> match -> cite -> END
 */
export const extractiveGraph = new StateGraph(QaState, ContextSchema)
  .addNode("read", stage("read", readWords))
  .addNode("match", stage("match", matchWords))
  .addNode("cite", stage("cite", cite))
  .addEdge(START, "read")
  .addEdge("read", "match")
  .addEdge("match", "cite")
  .addEdge("cite", END)
  .compile();
