import { z } from "zod";
import { countOf } from "../../../core/count-of.ts";
import { defineMcpTool, type McpTool } from "../define-mcp-tool.ts";
import { quoted } from "../evidence-view.ts";

const MOST_SHOWN = 200;

export const listVideos: McpTool = defineMcpTool({
  name: "list_videos",
  title: "List the videos",
  description: "Lists the videos that the other tools can open, with the name to pass as `video`.",
  input: z.object({
    match: z.string().max(200).optional().describe("only videos whose name contains these words"),
  }),
  output: z.object({
    videos: z.array(z.object({ video: z.string(), name: z.string(), bytes: z.int() })),
    total: z.int().describe(`number of videos; at most ${MOST_SHOWN} are listed`),
  }),
  async run({ match = "" }, _call, { host }) {
    const wanted = match.toLowerCase();
    const all = (await host.listVideos()).filter(({ name }) => name.toLowerCase().includes(wanted));
    const videos = all
      .slice(0, MOST_SHOWN)
      .map(({ video, name, size }) => ({ video, name, bytes: size }));
    const lines = videos.map(({ video, name }) => (video === name ? video : `${video}: ${name}`));
    const text =
      all.length === 0
        ? "No videos."
        : `${countOf(all.length, "video")}:\n${quoted(lines.join("\n"))}`;
    return { data: { videos, total: all.length }, parts: [{ type: "text", text }] };
  },
});
