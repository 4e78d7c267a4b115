import { z } from "zod";
import type { Transcript } from "../../run/transcript.ts";
import { type ToolInfo, ToolParameter } from "./log-schema.ts";

/** What a schema of a tool's arguments may hold; tools of other servers may have any schema. */
const Given = z.looseObject({
  properties: z.record(z.string(), z.unknown()).optional().catch(undefined),
  required: z.array(z.string()).optional().catch(undefined),
});

/** A tool as it was offered to a model, with the members of its schema that Inspect knows. */
export function toToolInfo({
  name,
  description,
  parameters,
}: Transcript["toolsets"][number][number]): ToolInfo {
  const { properties = {}, required = [] } = Given.parse(parameters);
  return {
    name,
    description,
    parameters: { type: "object", properties: mapped(properties), required },
  };
}

function toParameter(given: unknown): ToolParameter {
  if (typeof given !== "object" || given === null || Array.isArray(given)) return { default: null };
  const {
    items,
    anyOf,
    oneOf,
    properties,
    const: only,
    ...rest
  } = given as Record<string, unknown>;
  const known = Object.entries(rest).flatMap(([name, value]) => {
    const read = Object.hasOwn(SIMPLE, name)
      ? SIMPLE[name as keyof typeof SIMPLE].safeParse(value)
      : undefined;
    return read?.success ? [[name, read.data] as const] : [];
  });
  const either = Array.isArray(anyOf) ? anyOf : oneOf;
  return {
    default: null,
    ...Object.fromEntries(known),
    ...(only === undefined ? {} : { enum: [only as z.core.util.JSONType] }),
    ...(items === undefined ? {} : { items: toParameter(items) }),
    ...(Array.isArray(either) ? { anyOf: either.map(toParameter) } : {}),
    ...(isRecord(properties) ? { properties: mapped(properties) } : {}),
  };
}

/** Members without schemas inside. */
const SIMPLE = ToolParameter.omit({ items: true, properties: true, anyOf: true }).shape;

function mapped(properties: Record<string, unknown>): Record<string, ToolParameter> {
  return Object.fromEntries(
    Object.entries(properties).map(([name, schema]) => [name, toParameter(schema)]),
  );
}

function isRecord(value: unknown): value is Record<string, unknown> {
  return typeof value === "object" && value !== null && !Array.isArray(value);
}
