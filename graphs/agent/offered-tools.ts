import type { ToolSpec } from "../../src/models/chat.ts";
import { TOOL_ARGUMENTS, type ToolName } from "../../tools/agent/arguments.ts";
import type { GraphContext } from "../context.ts";
import { type SearchTool, searchSettings, searchToolsOf } from "./settings.ts";

const NEED_PICTURES: readonly SearchTool[] = [
  "overview",
  "view_frames",
  "zoom",
  "read_text",
  "compare_frames",
];

/** What an agent may do: the tools that settings name, and the one that takes the place of `view_frames` for video. */
export type AgentTool = SearchTool | "view_clip";

/** The tools that a question's agent has: those of the settings, as far as the video has something for them. */
export function toolsFor({
  settings,
  video,
}: Pick<GraphContext, "settings" | "video">): AgentTool[] {
  const named = searchToolsOf(searchSettings(settings));
  const tools =
    video.probe.video === null ? named.filter((tool) => !NEED_PICTURES.includes(tool)) : named;
  if (settings.recognition.media === "frames") return tools;
  return tools.map((tool) => (tool === "view_frames" ? "view_clip" : tool));
}

/** As the model is offered them; with nothing left to search, `answer` alone. */
export function offer(tools: readonly AgentTool[], { prompts }: Pick<GraphContext, "prompts">) {
  const rendered = ([...tools, "answer"] as const).map((name) => ({
    name,
    prompt: prompts.render(`agent/tools/${name}`, {}),
  }));
  return {
    tools: rendered.map(({ name, prompt }) => toolSpec(name, prompt.text)),
    prompts: rendered.map(({ prompt }) => prompt),
  };
}

function toolSpec(name: ToolName, description: string): ToolSpec {
  return { name, description, schema: TOOL_ARGUMENTS[name] };
}
