import { Failure } from "../../core/errors.ts";
import type { McpTool } from "./define-mcp-tool.ts";
import type { McpHost } from "./host.ts";
import { askVideo, getAnswer } from "./tools/ask-video.ts";
import { getEvidence } from "./tools/get-evidence.ts";
import { indexVideo } from "./tools/index-video.ts";
import { listVideos } from "./tools/list-videos.ts";
import { compareRuns, getScore, listRuns } from "./tools/runs.ts";
import { searchVideos } from "./tools/search-videos.ts";
import { videoTools } from "./tools/video-tools.ts";

/** The tools that a client of this host may call, by name. Throws `Failure` `wrong-usage` if two have one name. */
export async function toolsFor(host: McpHost): Promise<ReadonlyMap<string, McpTool>> {
  const all = [
    askVideo(host),
    getAnswer,
    listVideos,
    indexVideo(host),
    searchVideos(host),
    getEvidence(host),
    ...videoTools(host, await host.prompts()),
    ...(host.runs === null ? [] : [listRuns, getScore, compareRuns]),
  ];
  const byName = new Map<string, McpTool>();
  for (const tool of all) {
    if (byName.has(tool.name))
      throw new Failure(
        "wrong-usage",
        `Invalid name of a tool ${JSON.stringify(tool.name)}: the MCP server has a tool of this name. Choose another name.`,
        { name: tool.name },
      );
    byName.set(tool.name, tool);
  }
  return byName;
}
