import { codeFailure } from "../src/core/code-failure.ts";
import { oneLine } from "../src/core/errors.ts";
import { withFloatingRejections } from "../src/core/floating-rejections.ts";
import { loadedModules } from "../src/core/loaded-modules.ts";
import { whileUnfinished } from "../src/core/unfinished-work.ts";
import type { GraphContext, StrategyAnswer } from "./context.ts";
import { type StrategyInput, strategies } from "./define-strategy.ts";
import { readFinalState } from "./read-result.ts";

/** More steps than any strategy takes. An agent is limited by its budget. */
const MOST_STEPS = 1000;

/**
 * Runs the graph of a strategy. Throws `Failure` `wrong-usage` for an unknown name, and `code-failed` for a strategy that
 * throws anything but a failure, returns a wrong result, or does not await a promise that is rejected.
 */
export async function invokeStrategy(
  strategy: string,
  input: StrategyInput,
  context: GraphContext,
): Promise<StrategyAnswer> {
  const definition = strategies.get(strategy);
  try {
    const graph = await definition.graph();
    const config = { context, recursionLimit: MOST_STEPS, runName: strategy };
    const floating = `A promise that the strategy ${strategy} did not await`;
    const run = () => graph.invoke(input, config);
    // Only a user's own code may leave promises behind.
    const state =
      loadedModules().length === 0
        ? await run()
        : await withFloatingRejections(
            () =>
              whileUnfinished(
                `The strategy ${strategy} ended the process, or waits for something that never happens.`,
                run,
              ),
            (reason) => codeFailure(reason, floating),
            (reason) => process.emitWarning(`${floating} failed: ${oneLine(String(reason))}`),
          );
    return strategies.isBuiltIn(strategy) ? resultOf(state) : readFinalState(state, strategy);
  } catch (error) {
    if (await isPause(error)) throw error;
    throw context.signal?.aborted ? error : codeFailure(error, `The strategy ${strategy}`);
  }
}

/** The result without the rest of the state. */
function resultOf({ answer, set }: StrategyAnswer): StrategyAnswer {
  return { answer, set };
}

/** Whether a graph threw to pause, for a review by a person. */
async function isPause(error: unknown): Promise<boolean> {
  if (error === undefined || error === null) return false;
  const { isGraphBubbleUp } = await import("@langchain/langgraph");
  return isGraphBubbleUp(error as Error);
}

/** Runs a graph within a node of another as a graph of its own: without checkpoints, and without reviews. */
export async function withoutCheckpoints<T>(work: () => Promise<T>): Promise<T> {
  const { AsyncLocalStorageProviderSingleton } = await import("@langchain/core/singletons");
  const { callbacks } = AsyncLocalStorageProviderSingleton.getRunnableConfig() ?? {};
  return AsyncLocalStorageProviderSingleton.runWithConfig({ callbacks }, work, true);
}
