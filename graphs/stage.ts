import type { Runtime } from "@langchain/langgraph";
import { type GraphContext, requireContext } from "./context.ts";
import type { State, Update } from "./state.ts";

/**
 * Makes a node of a plain function: gives it the context, and emits when it starts and ends, the evidence that is new in
 * its update, and the answer.
 */
export function stage<S extends Pick<State, "evidence"> = State, U extends Update = Update>(
  name: string,
  node: (state: S, context: GraphContext) => U | Promise<U>,
) {
  return async (state: S, runtime: Runtime<GraphContext>): Promise<U> => {
    const context = requireContext(runtime.context);
    context.signal?.throwIfAborted();
    const began = performance.now();
    const task = context.replay === undefined ? undefined : taskOf(runtime);
    if (task !== undefined) context.replay?.begin(task);
    context.emit(name, { type: "stage", state: "start", ...(task === undefined ? {} : { task }) });
    const update = await node(state, context);
    const known = new Set(state.evidence.map(({ id }) => id));
    // A review replaces the evidence as a whole, and emits what is new itself.
    for (const item of Array.isArray(update.evidence) ? update.evidence : []) {
      if (known.has(item.id)) continue;
      known.add(item.id);
      context.emit(name, { type: "evidence", item });
    }
    if (update.answer !== undefined) context.emit(name, { type: "answer", answer: update.answer });
    const seconds = (performance.now() - began) / 1000;
    const limits = task === undefined ? [] : context.ledger.met();
    const met = limits.length === 0 ? {} : { limits };
    context.emit(name, { type: "stage", state: "end", seconds, ...met });
    if (task !== undefined) context.replay?.end(task);
    return update;
  };
}

/** The same if LangGraph runs a task again after an interruption; undefined without a checkpointer. */
function taskOf(runtime: Runtime<GraphContext>): string | undefined {
  const { checkpoint_ns, thread_id } = (runtime.configurable ?? {}) as Record<string, unknown>;
  return thread_id === undefined ? undefined : String(checkpoint_ns);
}

/** Emits the start and the end of work that is a stage of its own to a person, within another stage. */
export async function inOwnStage<T>(
  name: string,
  context: Pick<GraphContext, "emit">,
  work: () => Promise<T>,
): Promise<T> {
  const began = performance.now();
  context.emit(name, { type: "stage", state: "start" });
  const done = await work();
  const seconds = (performance.now() - began) / 1000;
  context.emit(name, { type: "stage", state: "end", seconds });
  return done;
}

/**
 * Waits for all, then throws the first error by position if there is one: calls in flight are billed, so their results
 * are stored.
 */
export async function allSettledOrThrow<T>(work: readonly Promise<T>[]): Promise<T[]> {
  const settled = await Promise.allSettled(work);
  return settled.map((result) => {
    if (result.status === "rejected") throw result.reason;
    return result.value;
  });
}
