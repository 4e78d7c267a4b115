import { getCallbackManagerForConfig } from "@langchain/core/runnables";
import { AsyncLocalStorageProviderSingleton } from "@langchain/core/singletons";
import type { ToolCall } from "../../src/models/chat.ts";
import type { ShownResult } from "./tool-results.ts";

/**
 * Runs a tool call and reports it to LangChain's callbacks as if the tool were one of LangChain: to LangGraph's `tools`
 * stream and to traces.
 */
export async function reportToolCall(
  { id, name, arguments: given }: ToolCall,
  work: () => Promise<ShownResult>,
): Promise<ShownResult> {
  const config = AsyncLocalStorageProviderSingleton.getRunnableConfig();
  const manager = await getCallbackManagerForConfig(config);
  if (manager === undefined) return work();
  const run = await manager.handleToolStart(
    { lc: 1, type: "not_implemented", id: ["video-rrd", name] },
    JSON.stringify(given),
    undefined,
    undefined,
    undefined,
    undefined,
    name,
    id,
  );
  try {
    const result = await work();
    await run.handleToolEnd(
      result.parts.map((part) => (part.type === "text" ? part.text : `[${part.type}]`)).join("\n"),
    );
    return result;
  } catch (error) {
    await run.handleToolError(error);
    throw error;
  }
}
