import { END, START, StateGraph } from "@langchain/langgraph";
import { ContextSchema, type GraphContext, requireContext } from "../context.ts";
import { stage } from "../stage.ts";
import { QaState, type State } from "../state.ts";
import { answerFromEvidence } from "./answer.ts";
import { mathematicsGraph } from "./mathematics/graph.ts";
import { isMathematical } from "./mathematics/is-mathematical.ts";
import { searchForQuestion } from "./search.ts";

/*
 * SEARCH the evidence for a choice or open question, CALCULATE if it is mathematical, otherwise REASON.
 *
 *   START -> search -+- mathematical -> calculate -+- verified ----> END
 *                    |                             +- not verified -> reason
 *                    +- other ---------------------------------------> reason -> END
 */
export const answeringGraph = new StateGraph(QaState, ContextSchema)
  .addNode("search", stage("search", searchForQuestion))
  .addNode("calculate", mathematicsGraph)
  .addNode("reason", stage("answer", answerFromEvidence))
  .addEdge(START, "search")
  .addConditionalEdges(
    "search",
    ({ question, evidence }: State, { context }: { context?: GraphContext }) =>
      isMathematical(question, evidence, requireContext(context)) ? "calculate" : "reason",
    ["calculate", "reason"],
  )
  .addConditionalEdges("calculate", ({ outcome }) => (outcome === null ? "reason" : END), [
    "reason",
    END,
  ])
  .addEdge("reason", END)
  .compile();
