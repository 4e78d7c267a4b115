import type { GraphContext, StrategyAnswer } from "./context.ts";
import { type StrategyInput, strategies } from "./define-strategy.ts";

/** More steps than any strategy takes. An agent is limited by its budget. */
const MOST_STEPS = 1000;

/** Runs the graph of a strategy. Throws `Failure` `wrong-usage` for an unknown name. */
export async function invokeStrategy(
  strategy: string,
  input: StrategyInput,
  context: GraphContext,
): Promise<StrategyAnswer> {
  const graph = await strategies.get(strategy).graph();
  const { answer, set } = await graph.invoke(input, { context, recursionLimit: MOST_STEPS });
  return { answer, set };
}
