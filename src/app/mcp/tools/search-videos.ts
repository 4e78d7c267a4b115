import { z } from "zod";
import { CHOSEN_KINDS, kindsOf } from "../../../../tools/search/searched-kinds.ts";
import { countOf } from "../../../core/count-of.ts";
import { evidenceNames } from "../../../core/evidence.ts";
import { defineMcpTool, type McpTool } from "../define-mcp-tool.ts";
import { EvidenceItem, type NamedEvidence, quotedLines, viewItem } from "../evidence-view.ts";
import type { ListedVideo, McpHost } from "../host.ts";
import { readIndexed } from "../indexed-videos.ts";
import type { McpCall } from "../mcp-call.ts";
import { videoParameter } from "./video-parameter.ts";

interface Hit extends NamedEvidence {
  video: string;
  place: number;
  score: number;
}

/** Searches all videos that index_video has read. */
export function searchVideos(host: McpHost): McpTool {
  return defineMcpTool({
    name: "search_videos",
    title: "Search the indexed videos",
    description:
      "Searches what is said, written or described in all videos that index_video has read, and returns the matches with video and time.",
    input: z.object({
      query: z.string().min(1).max(2000).describe("words to look for"),
      videos: z
        .array(videoParameter(host))
        .min(1)
        .max(50)
        .optional()
        .describe("only these videos; default: all indexed videos"),
      kinds: z
        .array(z.enum(CHOSEN_KINDS))
        .optional()
        .describe("only evidence of these kinds; default: all"),
      limit: z.int().min(1).max(50).default(10).describe("maximum number of matches, 1 to 50"),
    }),
    output: z.object({
      matches: z.array(EvidenceItem.extend({ video: z.string() })),
      searched: z.int().describe("number of videos that were searched"),
      not_indexed: z.array(z.string()).describe("videos to pass to index_video first"),
    }),
    heavy: true,
    async run({ query, videos, kinds, limit }, call, _session) {
      const { searchEvidence } = await import("../../../../tools/search/keyword-search.ts");
      const store = await host.store();
      const wanted =
        videos === undefined ? await host.listVideos() : await named(videos, host, call);
      const hits: Hit[] = [];
      const missing: string[] = [];
      let searched = 0;
      for (const { video, hash } of wanted) {
        call.signal.throwIfAborted();
        const set = hash === null ? null : await readIndexed(hash, host.owner, store);
        if (set === null) {
          missing.push(video);
          continue;
        }
        searched++;
        const names = evidenceNames(set);
        const filters = { kinds: kinds === undefined ? undefined : kindsOf(kinds), limit };
        const found = await searchEvidence(set, query, filters, store);
        for (const [place, { evidence: item, score }] of found.entries())
          hits.push({ video, item, name: names.get(item.id) ?? "E", place, score });
      }
      // Scores of different videos cannot be compared: the best match of each video comes first.
      const best = hits.sort((a, b) => a.place - b.place || b.score - a.score).slice(0, limit);
      const matches = best.map((hit) => ({ ...viewItem(hit), video: hit.video }));
      const data = { matches, searched, not_indexed: missing.slice(0, 50) };
      return { data, parts: [{ type: "text", text: textOf(best, searched, missing) }] };
    },
  });
}

async function named(
  videos: readonly string[],
  host: McpHost,
  call: McpCall,
): Promise<Pick<ListedVideo, "video" | "hash">[]> {
  const opened: Pick<ListedVideo, "video" | "hash">[] = [];
  for (const video of videos)
    opened.push({ video, hash: (await host.openVideo(video, call)).hash });
  return opened;
}

function textOf(best: readonly Hit[], searched: number, missing: readonly string[]): string {
  const videos = [...new Set(best.map(({ video }) => video))];
  const found = videos.flatMap((video) => [
    `${JSON.stringify(video)}:`,
    quotedLines(best.filter((hit) => hit.video === video)),
  ]);
  return [
    `${countOf(best.length, "match", "matches")} in ${countOf(searched, "indexed video")}.`,
    ...found,
    ...(missing.length === 0
      ? []
      : [
          `Not indexed, so not searched: ${countOf(missing.length, "video")}. Call index_video first.`,
        ]),
  ].join("\n");
}
