import type { ToolSpec } from "../../chat.ts";
import { functionTool } from "../../json.ts";

type Schema = Record<string, unknown>;

/** The keywords of JSON Schema that Gemini's `Schema` knows; it rejects a whole request for another one. */
const KNOWN = new Set([
  "type",
  "format",
  "title",
  "description",
  "nullable",
  "enum",
  "items",
  "minItems",
  "maxItems",
  "properties",
  "required",
  "minLength",
  "maxLength",
  "pattern",
  "minimum",
  "maximum",
  "anyOf",
  "default",
]);

/** A tool with its arguments in the part of JSON Schema that Gemini reads. Arguments are checked by zod when they come back. */
export function geminiTool(tool: ToolSpec) {
  const { type, function: described } = functionTool(tool);
  return { type, function: { ...described, parameters: geminiSchema(described.parameters) } };
}

export function geminiSchema(schema: Schema): Schema {
  const { type } = schema;
  if (Array.isArray(type)) {
    const { type: _, anyOf: __, ...rest } = schema;
    return geminiSchema({ ...rest, anyOf: type.map((one) => ({ type: one })) });
  }
  const choices = list(schema.anyOf ?? schema.oneOf);
  const others = choices.filter((choice) => choice.type !== "null");
  const nullable = others.length < choices.length ? { nullable: true } : {};
  const [only] = others;
  if (only !== undefined && others.length === 1) {
    const { anyOf: _, oneOf: __, ...rest } = schema;
    return { ...geminiSchema({ ...rest, ...only }), ...nullable };
  }
  const out: Schema = { ...pick(schema, [...KNOWN]), ...nullable };
  if (others.length > 0) out.anyOf = others.map(geminiSchema);
  if (typeof schema.const === "string")
    Object.assign(out, { type: "string", enum: [schema.const] });
  if ("exclusiveMinimum" in schema) out.minimum ??= schema.exclusiveMinimum;
  if ("exclusiveMaximum" in schema) out.maximum ??= schema.exclusiveMaximum;
  if (Array.isArray(schema.prefixItems)) out.items = list(schema.prefixItems)[0];
  if (isSchema(out.items)) out.items = geminiSchema(out.items);
  if (isSchema(out.properties))
    out.properties = Object.fromEntries(
      Object.entries(out.properties).map(([name, member]) => [
        name,
        isSchema(member) ? geminiSchema(member) : member,
      ]),
    );
  return out;
}

function isSchema(value: unknown): value is Schema {
  return typeof value === "object" && value !== null && !Array.isArray(value);
}

function list(value: unknown): Schema[] {
  return Array.isArray(value) ? value.filter(isSchema) : [];
}

function pick(schema: Schema, names: readonly string[]): Schema {
  return Object.fromEntries(
    names.filter((name) => name in schema).map((name) => [name, schema[name]]),
  );
}
