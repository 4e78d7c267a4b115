import { AsyncLocalStorage } from "node:async_hooks";
import type { LangChainTracer } from "@langchain/core/tracers/tracer_langchain";
import { hideContent } from "./hide-content.ts";
import { isTracedByLangSmith } from "./is-traced-by-langsmith.ts";

let made: Promise<LangChainTracer["client"]> | undefined;

/**
 * Runs `work` so that what LangChain sends to LangSmith during it has hashes and sizes in place of texts, pictures and
 * sound. Does nothing if tracing is off, or if `content` may be sent. Within another trace that would show content, it
 * begins a trace of its own.
 *
 * @example
 * const { answer } = await withPrivateTraces(() => videoQaGraph.invoke({ question }, { context }));
 */
export async function withPrivateTraces<T>(
  work: () => Promise<T>,
  { content = false }: { content?: boolean } = {},
): Promise<T> {
  if (content || !isTracedByLangSmith()) return work();
  const [{ AsyncLocalStorageProviderSingleton }, { LangChainTracer }] = await Promise.all([
    import("@langchain/core/singletons"),
    import("@langchain/core/tracers/tracer_langchain"),
  ]);
  made ??= privateClient();
  const client = await made;
  const config = AsyncLocalStorageProviderSingleton.getRunnableConfig();
  const handlers: unknown[] = config?.callbacks?.handlers ?? config?.callbacks ?? [];
  const isPrivate = handlers.some(
    (handler) => handler instanceof LangChainTracer && handler.client === client,
  );
  if (isPrivate) return work();
  // Within a graph, its streams and checkpoints stay.
  const others = handlers.filter((handler) => !(handler instanceof LangChainTracer));
  const callbacks = [...others, new LangChainTracer({ client })];
  AsyncLocalStorageProviderSingleton.initializeGlobalInstance(new AsyncLocalStorage());
  return AsyncLocalStorageProviderSingleton.runWithConfig({ ...config, callbacks }, work);
}

async function privateClient() {
  const { Client } = await import("langsmith");
  return new Client({ anonymizer: hideContent });
}
