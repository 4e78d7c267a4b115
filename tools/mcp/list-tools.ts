import type { Client } from "@modelcontextprotocol/sdk/client/index.js";
import type { Tool } from "@modelcontextprotocol/sdk/types.js";
import { Failure, oneLine } from "../../src/core/errors.ts";
import { serverFailure } from "./connect-server.ts";
import type { ServerEntry } from "./servers-file.ts";

/** Tools of one server that a model is offered; servers of models take at most 128 functions. */
const MOST_OFFERED = 40;
const MOST_LISTED = 2000;
const MOST_PAGES = 50;
const MOST_SCHEMA_CHARACTERS = 20_000;

/**
 * The tools of a server that are offered, in the order of their names. Throws `Failure` `mcp-server` for a list that is
 * too long or does not arrive, `wrong-setting` for a tool that the server lacks, and the reason of the signal.
 */
export async function listOfferedTools(
  client: Client,
  entry: ServerEntry,
  signal: AbortSignal,
): Promise<Tool[]> {
  return chosen(await listTools(client, entry, signal), entry);
}

/** Every page of the list, up to a limit. */
async function listTools(client: Client, entry: ServerEntry, signal: AbortSignal): Promise<Tool[]> {
  const found: Tool[] = [];
  let cursor: string | undefined;
  const stop = AbortSignal.any([signal, AbortSignal.timeout(entry.start_s * 1000)]);
  try {
    for (let page = 0; page < MOST_PAGES; page++) {
      const answer = await client.listTools(cursor === undefined ? {} : { cursor }, {
        timeout: entry.start_s * 1000,
        signal: stop,
      });
      found.push(...answer.tools);
      cursor = answer.nextCursor;
      if (cursor === undefined) return found;
      if (found.length > MOST_LISTED) break;
    }
  } catch (error) {
    signal.throwIfAborted();
    throw serverFailure(entry, "did not list its tools", error);
  }
  throw serverFailure(entry, "cannot be used", `it lists more than ${found.length} tools`);
}

/** The tools to offer, in the order of their names, so that requests stay the same if the server's order changes. */
function chosen(listed: readonly Tool[], { name, tools, pure }: ServerEntry): Tool[] {
  const unique = new Map(listed.map((tool) => [tool.name, tool]));
  const missing = [...(tools ?? []), ...pure].find((tool) => !unique.has(tool));
  if (missing !== undefined)
    throw new Failure(
      "wrong-setting",
      `The MCP server ${name} has no tool ${JSON.stringify(missing)}. It has ${oneLine([...unique.keys()].join(", "), 300) || "none"}.`,
      { server: name, tool: missing },
    );
  const offered = [...unique.values()]
    .filter((tool) => tools === null || tools.includes(tool.name))
    .sort((a, b) => (a.name < b.name ? -1 : 1));
  if (offered.length > MOST_OFFERED)
    throw new Failure(
      "mcp-server",
      `The MCP server ${name} has ${offered.length} tools, too many for a model. Name at most ${MOST_OFFERED} of them in its "tools".`,
      { server: name, tools: offered.length },
    );
  for (const tool of offered) {
    const { length } = JSON.stringify(tool.inputSchema);
    if (length <= MOST_SCHEMA_CHARACTERS) continue;
    throw new Failure(
      "mcp-server",
      `The tool ${tool.name} of the MCP server ${name} has a schema of ${length} characters; at most ${MOST_SCHEMA_CHARACTERS} can be sent to a model. Leave it out of "tools".`,
      { server: name, tool: tool.name },
    );
  }
  return offered;
}
