import type { Runtime } from "@langchain/langgraph";
import { type GraphContext, requireContext } from "./context.ts";
import type { State, Update } from "./state.ts";

/** Makes a node of a plain function: gives it the context and tells when it starts and ends. */
export function stage<S = State, U = Update>(
  name: string,
  node: (state: S, context: GraphContext) => U | Promise<U>,
) {
  return async (state: S, runtime: Runtime<GraphContext>): Promise<U> => {
    const context = requireContext(runtime.context);
    context.signal?.throwIfAborted();
    const began = performance.now();
    context.emit(name, { type: "stage", state: "start" });
    const update = await node(state, context);
    const seconds = (performance.now() - began) / 1000;
    context.emit(name, { type: "stage", state: "end", seconds });
    return update;
  };
}

/**
 * Waits for all, then throws the first error by place if there is one: what is in flight is paid for, so it is kept.
 */
export async function together<T>(work: readonly Promise<T>[]): Promise<T[]> {
  const settled = await Promise.allSettled(work);
  return settled.map((result) => {
    if (result.status === "rejected") throw result.reason;
    return result.value;
  });
}
