import type { Settings } from "../../src/core/settings.ts";
import type { OpenServers } from "../../tools/mcp/open-servers.ts";

const NONE: OpenServers = { tools: [], records: [], release: async () => undefined };

/**
 * Starts the MCP servers of the settings, if there are any; release them when the question or run has ended. Throws as
 * `openServers`.
 */
export async function openServerTools(
  { mcp }: Pick<Settings["runtime"], "mcp">,
  signal?: AbortSignal,
): Promise<OpenServers> {
  if (mcp === null) return NONE;
  const { openServers } = await import("../../tools/mcp/open-servers.ts");
  return openServers(mcp, signal);
}
