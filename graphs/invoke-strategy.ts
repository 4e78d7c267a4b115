import type { GraphContext, StrategyAnswer } from "./context.ts";
import { type StrategyInput, strategies } from "./define-strategy.ts";

/** More nodes than any strategy goes through; what bounds an agent is its budget. */
const MOST_STEPS = 1000;

/** Runs the graph of a strategy. Throws `Failure` `wrong-usage` for a name that is not known. */
export async function invokeStrategy(
  strategy: string,
  input: StrategyInput,
  context: GraphContext,
): Promise<StrategyAnswer> {
  const graph = await strategies.get(strategy).graph();
  const { answer, set } = await graph.invoke(input, { context, recursionLimit: MOST_STEPS });
  return { answer, set };
}
