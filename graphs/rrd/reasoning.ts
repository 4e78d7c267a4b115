import { END, START, StateGraph } from "@langchain/langgraph";
import type { Evidence } from "../../src/core/shapes.ts";
import { ContextSchema } from "../context.ts";
import { stage } from "../stage.ts";
import { cite } from "../stages/cite.ts";
import { QaState, type Segment } from "../state.ts";
import { answeringGraph } from "./answering.ts";
import { orderingGraph } from "./ordering.ts";

/*
 * REASON over evidence that is given, with nothing recognised: the second half of `video-qa.ts`.
 *
 *   START -+- order --------> put in order ------+-> cite -> END
 *          +- choice, open -> search and reason -+
 */
export const reasoningGraph = new StateGraph(QaState, ContextSchema)
  .addNode("put in order", orderingGraph)
  .addNode("search and reason", answeringGraph)
  .addNode("cite", stage("cite", cite))
  .addConditionalEdges(
    START,
    ({ question }) => (question.task === "order" ? "put in order" : "search and reason"),
    ["put in order", "search and reason"],
  )
  .addEdge("put in order", "cite")
  .addEdge("search and reason", "cite")
  .addEdge("cite", END)
  .compile();

/** The clips that captions speak of. */
export function segmentsOf(evidence: readonly Evidence[]): Segment[] {
  return evidence
    .flatMap(({ kind, clip, start_s, end_s }): Segment[] =>
      kind === "caption" && clip !== undefined
        ? [{ number: clip, kind: "clip", start_s, end_s }]
        : [],
    )
    .sort((a, b) => a.number - b.number);
}
