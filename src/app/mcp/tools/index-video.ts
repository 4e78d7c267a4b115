import { z } from "zod";
import { standard } from "../../../../graphs/define-strategy.ts";
import type { Video } from "../../../../tools/video/video.ts";
import { EVIDENCE_KINDS, type EvidenceSet } from "../../../core/shapes.ts";
import { resolveSettings } from "../../service/request-settings.ts";
import { defineMcpTool, type McpTool } from "../define-mcp-tool.ts";
import type { McpHost } from "../host.ts";
import { storeIndexed } from "../indexed-videos.ts";
import type { McpCall } from "../mcp-call.ts";
import { stageMessage } from "../stage-message.ts";
import { videoParameter } from "./video-parameter.ts";

/** Recognises text, equations, subtitles and key frames of a video for search_videos. */
export function indexVideo(host: McpHost): McpTool {
  return defineMcpTool({
    name: "index_video",
    title: "Index a video",
    description:
      "Recognises text on screen, equations, subtitles and the key frame of each shot in a video, so that search_videos finds it. If this takes longer than 40 s, the result has the status `running`: call it again. No model is called.",
    input: z.object({ video: videoParameter(host) }),
    output: z.object({
      status: z.enum(["indexed", "running"]),
      duration_s: z.number().describe("length of the video in seconds"),
      items: z.record(z.enum(EVIDENCE_KINDS), z.int()).describe("number of items of each kind"),
    }),
    heavy: true,
    async run({ video: given }, call, { jobs }) {
      const video = await host.openVideo(given, call);
      await host.checkStorage();
      const { duration_s } = video.probe;
      const set = await jobs.run(video.hash, host.result_ms, call, (job) =>
        recogniseIn(video, host, job),
      );
      const status = set === undefined ? "running" : "indexed";
      const items = countKinds(set);
      const counts = Object.entries(items)
        .filter(([, count]) => count > 0)
        .map(([kind, count]) => `${count} ${kind}`);
      const text =
        set === undefined
          ? "The video is still being indexed. Call index_video again."
          : `Indexed: ${counts.join(", ") || "nothing was recognised"}.`;
      return { data: { status, duration_s, items }, parts: [{ type: "text", text }] };
    },
  });
}

async function recogniseIn(video: Video, host: McpHost, job: McpCall): Promise<EvidenceSet> {
  const store = await host.store();
  const { indexVideo: recognise } = await import("../../../../graphs/index-video.ts");
  const { name: strategy } = standard("without-model");
  const { recognition, runtime } = resolveSettings({ strategy }, host.own, host.data);
  const { signal } = job;
  const run = `mcp ${host.owner}`;
  const set = await recognise(
    video,
    { recognition: { ...recognition, model: null, transcriber: null }, runtime },
    { store, run, signal },
    undefined,
    (stage, body) => job.progress(stageMessage(stage, body)),
  );
  await storeIndexed(set, video.hash, host.owner, store);
  return set;
}

function countKinds(set: EvidenceSet | undefined): Record<(typeof EVIDENCE_KINDS)[number], number> {
  const count = (kind: string) => set?.items.filter((item) => item.kind === kind).length ?? 0;
  return Object.fromEntries(EVIDENCE_KINDS.map((kind) => [kind, count(kind)])) as ReturnType<
    typeof countKinds
  >;
}
