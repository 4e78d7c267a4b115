import { END, START, StateGraph } from "@langchain/langgraph";
import { codeFailure } from "../src/core/code-failure.ts";
import type { Question, Task } from "../src/core/shapes.ts";
import { ContextSchema, type GraphContext, type StrategyAnswer } from "./context.ts";
import type { RunResult } from "./outcome.ts";
import { readRunResult } from "./read-result.ts";
import { stage } from "./stage.ts";
import { cite } from "./stages/cite.ts";
import { REVIEW_ANSWER } from "./stages/review/review.ts";
import { reviewAnswer } from "./stages/review/review-answer.ts";
import { citeOrEnd, TO_CITE_OR_END, toCiteOrEnd } from "./stages/review/routes.ts";
import { outcome, QaState, type State, type Update } from "./state.ts";

/** Answers one question. A result of `context.ask` may be returned unchanged. */
export type RunStrategy = (
  question: Question,
  context: GraphContext,
) => Promise<RunResult | StrategyAnswer>;

/** Not the result of a strategy that hands on members of an answer, whose `set` is an id. */
function isAnswer(result: RunResult | StrategyAnswer | null | undefined): result is StrategyAnswer {
  if (typeof result !== "object" || result === null || !("set" in result)) return false;
  return typeof result.set === "object" && typeof result.answer === "object";
}

/** What `run` returns. LangGraph cannot carry anything thrown that is not an object. */
async function resultOf(
  name: string,
  work: () => ReturnType<RunStrategy>,
): Promise<Awaited<ReturnType<RunStrategy>>> {
  try {
    return await work();
  } catch (error) {
    throw error instanceof Error ? error : codeFailure(error, `The strategy ${name}`);
  }
}

/** An answer of another strategy, with the usage of every call that was made before it was chosen. */
function withAllCalls({ answer, set }: StrategyAnswer, context: GraphContext): StrategyAnswer {
  return { set, answer: { ...answer, usage: context.usage(), limits_met: context.ledger.met() } };
}

/**
 * A graph of one stage, for strategies without stages of their own.
 *
 *   START -> run -+- outcome -> cite -> END
 *                 +- answer of another strategy -> END
 */
export function runGraph(
  { name, tasks }: { name: string; tasks: readonly Task[] },
  run: RunStrategy,
) {
  async function answer({ question, evidence }: State, context: GraphContext): Promise<Update> {
    if (!tasks.includes(question.task)) return { outcome: outcome({ status: "not-answered" }) };
    const result = await resultOf(name, () => run(question, context));
    if (isAnswer(result)) return withAllCalls(result, context);
    const {
      evidence: found = [],
      diagnostics = {},
      cites = [],
      ...rest
    } = readRunResult(result, name);
    const status = rest.status ?? (rest.answer == null ? "not-answered" : "answered");
    return {
      evidence: [...evidence, ...found],
      diagnostics,
      outcome: outcome({ ...rest, status, cites: [...cites] }),
    };
  }
  return new StateGraph(QaState, ContextSchema)
    .addNode("run", stage(name, answer))
    .addNode(REVIEW_ANSWER, reviewAnswer)
    .addNode("cite", stage("cite", cite))
    .addEdge(START, "run")
    .addConditionalEdges("run", toCiteOrEnd, TO_CITE_OR_END)
    .addConditionalEdges(REVIEW_ANSWER, citeOrEnd, ["cite", END])
    .addEdge("cite", END)
    .compile();
}
