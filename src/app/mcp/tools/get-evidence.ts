import { z } from "zod";
import { Failure } from "../../../core/errors.ts";
import { byTimeKindId, evidenceNames } from "../../../core/evidence.ts";
import { EVIDENCE_KINDS } from "../../../core/shapes.ts";
import { defineMcpTool, type McpTool } from "../define-mcp-tool.ts";
import {
  EvidenceItem,
  type NamedEvidence,
  picturesOf,
  quotedLines,
  viewItem,
} from "../evidence-view.ts";
import type { McpHost } from "../host.ts";
import type { McpCall } from "../mcp-call.ts";
import type { McpSession } from "../session.ts";
import { videoParameter } from "./video-parameter.ts";

const MOST_PICTURES = 8;

interface Asked {
  id?: string;
  video?: string;
}

/** The evidence of an answer, or what this session was shown of a video. */
export function getEvidence(host: McpHost): McpTool {
  return defineMcpTool({
    name: "get_evidence",
    title: "Get evidence",
    description:
      "Returns the evidence of an answered question (`id`), or what the tools have shown of a video in this session (`video`): texts with their times, and up to 8 pictures.",
    input: z.object({
      id: z
        .string()
        .min(1)
        .max(64)
        .optional()
        .describe("id of a question, as ask_video returned it"),
      video: videoParameter(host).optional(),
      names: z
        .array(z.string().max(20))
        .max(100)
        .optional()
        .describe("only the items with these names, such as E7"),
      kinds: z.array(z.enum(EVIDENCE_KINDS)).optional().describe("only items of these kinds"),
      from_s: z.number().min(0).optional().describe("start of the part of the video, in seconds"),
      to_s: z.number().min(0).optional().describe("end of the part of the video, in seconds"),
      limit: z.int().min(1).max(200).default(50).describe("maximum number of items, 1 to 200"),
      after: z.int().min(0).default(0).describe("number of items to skip"),
    }),
    output: z.object({
      evidence: z.array(EvidenceItem),
      total: z.int().describe("number of items that match"),
    }),
    async run({ id, video, names, kinds, from_s = 0, to_s, limit, after }, call, session) {
      const all = (await evidenceFor({ id, video }, call, session))
        .filter(
          ({ name, item }) =>
            (names === undefined || names.includes(name)) &&
            (kinds === undefined || kinds.includes(item.kind)) &&
            item.end_s >= from_s &&
            item.start_s <= (to_s ?? Number.POSITIVE_INFINITY),
        )
        .sort((a, b) => byTimeKindId(a.item, b.item));
      const shown = all.slice(after, after + limit);
      const text =
        shown.length === 0
          ? "No evidence matches."
          : `Items ${after + 1} to ${after + shown.length} of ${all.length}:\n${quotedLines(shown)}`;
      return {
        data: { evidence: shown.map(viewItem), total: all.length },
        parts: [{ type: "text", text }, ...picturesOf(shown, MOST_PICTURES)],
      };
    },
  });
}

async function evidenceFor(
  { id, video }: Asked,
  call: McpCall,
  { host, conversation }: McpSession,
): Promise<NamedEvidence[]> {
  if ((id === undefined) === (video === undefined))
    throw new Failure("wrong-usage", "Pass either `id` or `video`.");
  if (id !== undefined) {
    const set = await host.questions.evidence(id);
    const names = evidenceNames(set);
    return set.items.map((item) => ({ name: names.get(item.id) ?? "E", item }));
  }
  const { hash } = await host.openVideo(video ?? "", call);
  const { evidence = [], shown = [] } = conversation(hash).state ?? {};
  const byId = new Map(evidence.map((item) => [item.id, item]));
  return shown.flatMap((shownId, place) => {
    const item = byId.get(shownId);
    return item === undefined ? [] : [{ name: `E${place + 1}`, item }];
  });
}
