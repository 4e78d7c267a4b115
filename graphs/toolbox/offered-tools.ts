import { z } from "zod";
import { type Need, type ToolDefinition, tools } from "../../tools/agent/define-tool.ts";
import type { GraphContext } from "../context.ts";
import { searchSettings, toolsNamed } from "./search-settings.ts";

/** A member that every call may have in addition to the parameters of its tool. */
const Seen = z
  .string()
  .max(2000)
  .nullish()
  .describe("what the pictures you were shown last show, in one or two sentences");

const extended = new WeakMap<z.ZodObject, z.ZodObject>();

/** The parameters of a tool as offered to the model. */
export function withSeen(parameters: z.ZodObject): z.ZodObject {
  const known = extended.get(parameters);
  if (known !== undefined) return known;
  const made = parameters.extend({ seen: Seen });
  extended.set(parameters, made);
  return made;
}

/**
 * The tools for a question: those of the settings whose needs the video meets, for the medium that is sent, and those of
 * the operator's MCP servers.
 */
export function offeredTools({
  settings,
  video,
  serverTools = [],
}: Pick<GraphContext, "settings" | "video" | "serverTools">): ToolDefinition[] {
  const named = toolsNamed(searchSettings(settings));
  const has: Readonly<Record<Need, boolean>> = {
    pictures: video.probe.video !== null,
    sound: video.probe.audio.length > 0,
    index: true,
  };
  const { media } = settings.recognition;
  const own = tools
    .all()
    .filter(({ name, look }) =>
      look === undefined ? named.has(name) : look === media && namesLook(named),
    )
    .filter(({ needs }) => needs.every((need) => has[need]));
  return [...own, ...serverTools];
}

/** The tool that shows clips has no name in the settings: it replaces the one that shows frames. */
function namesLook(named: ReadonlySet<string>): boolean {
  return tools.all().some(({ name, look }) => look === "frames" && named.has(name));
}
