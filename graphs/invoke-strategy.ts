import { codeFailure } from "../src/core/code-failure.ts";
import type { GraphContext, StrategyAnswer } from "./context.ts";
import { type StrategyInput, strategies } from "./define-strategy.ts";

/** More steps than any strategy takes. An agent is limited by its budget. */
const MOST_STEPS = 1000;

/**
 * Runs the graph of a strategy. Throws `Failure` `wrong-usage` for an unknown name, and `code-failed` for a strategy that
 * throws anything but a failure.
 */
export async function invokeStrategy(
  strategy: string,
  input: StrategyInput,
  context: GraphContext,
): Promise<StrategyAnswer> {
  const definition = strategies.get(strategy);
  try {
    const graph = await definition.graph();
    const { answer, set } = await graph.invoke(input, {
      context,
      recursionLimit: MOST_STEPS,
      runName: strategy,
    });
    return { answer, set };
  } catch (error) {
    throw context.signal?.aborted ? error : codeFailure(error, `The strategy ${strategy}`);
  }
}
