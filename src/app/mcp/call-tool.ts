import type { CallToolResult } from "@modelcontextprotocol/sdk/types.js";
import { readArguments } from "../../../tools/agent/read-arguments.ts";
import { Failure } from "../../core/errors.ts";
import type { McpTool } from "./define-mcp-tool.ts";
import type { McpCall } from "./mcp-call.ts";
import { toContent } from "./pictures.ts";
import type { McpSession } from "./session.ts";

/** Characters of the arguments of one call. */
const MOST_CHARACTERS = 100_000;

/**
 * Runs a call of a client. What goes wrong with the call is a result with `isError`, so that the model can correct it.
 * An aborted call throws.
 */
export async function callTool(
  tool: McpTool,
  given: unknown,
  call: McpCall,
  session: McpSession,
): Promise<CallToolResult> {
  const { gate, host } = session;
  try {
    requireBounded(tool.name, given);
    return await gate.run(
      async () => {
        const read = tool.read?.(given) ?? readArguments(tool.name, tool.input, given);
        const { data, parts, failed = false } = await tool.run(read, call, session);
        const content = await toContent(parts, host.store);
        return { structuredContent: data, content, ...(failed ? { isError: true } : {}) };
      },
      { heavy: tool.heavy ?? false, signal: call.signal },
    );
  } catch (error) {
    if (call.signal.aborted) throw error;
    return { isError: true, content: [{ type: "text", text: host.explain(error) }] };
  }
}

function requireBounded(name: string, given: unknown): void {
  const { length } = JSON.stringify(given ?? null);
  if (length <= MOST_CHARACTERS) return;
  throw new Failure(
    "wrong-usage",
    `The arguments of ${name} have ${length} characters. Use at most ${MOST_CHARACTERS}.`,
    { tool: name, length },
  );
}
