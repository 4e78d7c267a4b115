import { END } from "@langchain/langgraph";
import type { GraphContext } from "../../context.ts";
import type { State } from "../../state.ts";
import { REVIEW_ANSWER, REVIEW_EVIDENCE } from "./review.ts";

/* Edges of graphs that pause for a person if their context asks for it. */

interface Runtime {
  context?: GraphContext;
}

/** What comes after recognition: the review of the evidence if there is one, otherwise the node. */
export function reviewedThen<Node extends string>(node: Node) {
  return (_state: unknown, { context }: Runtime): Node | typeof REVIEW_EVIDENCE =>
    context?.review === "evidence" ? REVIEW_EVIDENCE : node;
}

/** Whether a person reviews the answer before it is final. */
export function isReviewed(context: Pick<GraphContext, "review"> | undefined): boolean {
  return context?.review === "answer";
}

/** What comes after an outcome: the review of the answer if there is one, otherwise `cite`. */
export function toCite(_state: unknown, { context }: Runtime): typeof REVIEW_ANSWER | "cite" {
  return isReviewed(context) ? REVIEW_ANSWER : "cite";
}
export const TO_CITE: (typeof REVIEW_ANSWER | "cite")[] = [REVIEW_ANSWER, "cite"];

/** The same after a node that may return the answer of another strategy, which is final without a review. */
export function toCiteOrEnd(
  state: Pick<State, "answer">,
  runtime: Runtime,
): ReturnType<typeof toCite> | typeof END {
  const next = toCite(state, runtime);
  return next === REVIEW_ANSWER ? next : citeOrEnd(state);
}
export const TO_CITE_OR_END: (typeof REVIEW_ANSWER | "cite" | typeof END)[] = [...TO_CITE, END];

export function citeOrEnd({ answer }: Pick<State, "answer">): "cite" | typeof END {
  return answer === undefined ? "cite" : END;
}
