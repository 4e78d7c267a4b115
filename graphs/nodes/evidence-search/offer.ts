import { type SearchTool, searchToolsOf } from "../../../src/core/settings.ts";
import type { ToolSpec } from "../../../src/models/chat.ts";
import { TOOL_ARGUMENTS, type ToolName } from "../../../tools/tool-arguments.ts";
import type { GraphContext } from "../../context.ts";

const NEED_PICTURES: readonly SearchTool[] = [
  "overview",
  "view_frames",
  "zoom",
  "read_text",
  "compare_frames",
];

/** The tools that a question's agent has: those of the settings, as far as the video has something for them. */
export function toolsFor({ settings, video }: Pick<GraphContext, "settings" | "video">) {
  const tools = searchToolsOf(settings.search);
  return video.probe.video === null ? tools.filter((tool) => !NEED_PICTURES.includes(tool)) : tools;
}

/** As the model is offered them; with nothing left to search, `answer` alone. */
export function offer(tools: readonly SearchTool[], { prompts }: Pick<GraphContext, "prompts">) {
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
