import { z } from "zod";
import { oneLine } from "../core/errors.ts";
import type { ToolCall, ToolSpec } from "./chat.ts";

type Schemas = WeakMap<z.ZodObject, Record<string, unknown>>;
const described: Schemas = new WeakMap();
const undescribed: Schemas = new WeakMap();

/** zod keeps descriptions in a registry: with this one it finds none. */
const noDescriptions = z.registry<Record<string, never>>();

/** JSON Schema of a tool's arguments, made once per schema. */
export function parametersOf(tool: ToolSpec): Record<string, unknown> {
  if (!(tool.schema instanceof z.ZodType)) return tool.schema;
  const schemas = tool.undescribed ? undescribed : described;
  const known = schemas.get(tool.schema);
  if (known !== undefined) return known;
  const metadata = tool.undescribed ? { metadata: noDescriptions } : {};
  const { $schema: _, ...made } = z.toJSONSchema(tool.schema, { io: "input", ...metadata });
  schemas.set(tool.schema, made);
  return made;
}

/** A tool in the form of both clients. */
export function functionTool(tool: ToolSpec) {
  return {
    type: "function" as const,
    function: {
      name: tool.name,
      description: tool.description,
      parameters: parametersOf(tool),
    },
  };
}

/**
 * Arguments of an earlier call as a JSON object, the only form that servers accept; text that is not JSON is the member
 * `unreadable`.
 */
export function argumentsObject(call: ToolCall): Record<string, unknown> {
  const given = call.arguments;
  if (typeof given === "object" && given !== null && !Array.isArray(given))
    return given as Record<string, unknown>;
  return { unreadable: given };
}

/** The parsed JSON, or the text itself if it is not JSON. */
export function jsonOrText(text: string): unknown {
  try {
    return JSON.parse(text) as unknown;
  } catch {
    return text; // a model wrote it: what it means is for the caller to say
  }
}

/** External text on one line, with secrets replaced by `(key)`. */
export function wordsWithout(secrets: readonly string[], said: unknown): string {
  const text = said instanceof Error ? said.message : String(said);
  return oneLine(secrets.reduce((words, secret) => words.replaceAll(secret, "(key)"), text));
}
