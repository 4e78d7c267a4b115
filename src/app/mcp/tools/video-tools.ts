import { z } from "zod";
import { strategyThat } from "../../../../graphs/define-strategy.ts";
import { describeTool } from "../../../../graphs/description-prompt.ts";
import { withSeen } from "../../../../graphs/toolbox/offered-tools.ts";
import type { Prompts } from "../../../../prompts/load-prompts.ts";
import { type ToolDefinition, tools } from "../../../../tools/agent/define-tool.ts";
import { readArguments } from "../../../../tools/agent/read-arguments.ts";
import type { Video } from "../../../../tools/video/video.ts";
import { Failure } from "../../../core/errors.ts";
import { createLedger, NO_BUDGET } from "../../../core/ledger.ts";
import { type Settings, valueAt } from "../../../core/settings.ts";
import { resolveSettings } from "../../service/request-settings.ts";
import { defineMcpTool, type McpTool } from "../define-mcp-tool.ts";
import { EvidenceItem, viewItem } from "../evidence-view.ts";
import type { McpHost } from "../host.ts";
import { stageMessage } from "../stage-message.ts";
import { videoParameter } from "./video-parameter.ts";

const Output = z.object({
  evidence: z.array(EvidenceItem).describe("what the call showed; cite it by its names"),
  frames_left: z.int().nullable().describe("frames that may still be shown; null: no limit"),
});

/** The tools of the agent, each with a parameter for the video. Tools that show clips are left out: MCP has no video content. */
export function videoTools(host: McpHost, prompts: Prompts): McpTool[] {
  return tools
    .all()
    .filter(({ look }) => look !== "video")
    .map((tool) => toMcpTool(tool, host, prompts));
}

function toMcpTool(tool: ToolDefinition, host: McpHost, prompts: Prompts): McpTool {
  const { name } = tool;
  const parameters = withSeen(tool.parameters);
  const video = "video" in tool.parameters.shape ? "video_file" : "video";
  const Named = z.looseObject({ [video]: videoParameter(host) });
  return defineMcpTool({
    name,
    title: titleOf(name),
    description: `${describeTool(tool, prompts).description} \`${video}\`: ${host.videoHint}.`,
    input: parameters.extend({ [video]: videoParameter(host) }),
    output: Output,
    heavy: true,
    // The definition reads and repairs its own arguments when it runs.
    read: (given) => readArguments(name, Named, given),
    async run(given, call, session) {
      const { [video]: file, ...args } = given as Record<string, unknown>;
      const opened = await host.openVideo(String(file), call);
      requireNeeds(tool, opened);
      await host.checkStorage();
      const conversation = session.conversation(opened.hash);
      return conversation.inTurn(async () => {
        call.signal.throwIfAborted();
        const { openToolbox } = await import("../../../../graphs/toolbox/open-toolbox.ts");
        const { toolbox } = openToolbox({
          video: opened,
          settings: toolSettings(host),
          prompts,
          store: await host.store(),
          run: `mcp ${host.owner}`,
          ledger: conversation.ledger,
          spending: createLedger(NO_BUDGET),
          owner: host.owner,
          signal: call.signal,
          state: conversation.state,
          indexed: conversation.indexed,
          emit: (stage, body) => call.progress(stageMessage(stage, body)),
        });
        const shown = await toolbox.run(tool, args);
        conversation.state = toolbox.state();
        // A refused call may have indexed the video; an index of another file with the same bytes would repeat its evidence.
        conversation.indexed = toolbox.indexed();
        if (shown.refused !== undefined)
          throw new Failure("wrong-usage", shown.refused, { tool: name });
        const byName = new Map(toolbox.shown().map((item, place) => [`E${place + 1}`, item]));
        const items = shown.names.flatMap((name) => {
          const item = byName.get(name);
          return item === undefined ? [] : [viewItem({ name, item })];
        });
        const { frames } = conversation.ledger.left();
        return { data: { evidence: items, frames_left: frames }, parts: shown.parts };
      });
    },
  });
}

function titleOf(name: string): string {
  const words = name.replaceAll("_", " ");
  return `${words.charAt(0).toUpperCase()}${words.slice(1)}`;
}

function requireNeeds({ name, needs }: ToolDefinition, { probe }: Video): void {
  if (needs.includes("pictures") && probe.video === null)
    throw new Failure("no-video", `The tool ${name} needs pictures, and the file has only sound.`);
  if (needs.includes("sound") && probe.audio.length === 0)
    throw new Failure("no-audio", `The tool ${name} needs sound, and the file has none.`);
}

/** The operator's settings for tools outside a question. They show frames and call no model. */
export function toolSettings({ own, data }: Pick<McpHost, "own" | "data">): Settings {
  const { name } = strategyThat("that searches", ({ approach }) => approach === "search");
  const read = (path: string, fallback: unknown) => valueAt(own.settings, path) ?? fallback;
  const given = {
    strategy: name,
    "recognition.media": "frames",
    "recognition.audio": false,
    "recognition.subtitles": read("recognition.subtitles", "full"),
    "recognition.ocr": read("recognition.ocr", "tesseract"),
  };
  const settings = resolveSettings(given, own, data);
  if (settings.recognition.ocr === "model") settings.recognition.ocr = "tesseract";
  settings.recognition.transcriber = null;
  return settings;
}
