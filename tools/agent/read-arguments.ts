import { z } from "zod";
import { describeExpected } from "../../src/core/describe-issue.ts";
import { Failure, oneLine } from "../../src/core/errors.ts";
import { TOOL_WORDS } from "../parse-request.ts";

/**
 * The arguments of a call as a model wrote them. Common variants are accepted: numbers and clock times as text (`"70.5"`,
 * `"1:10"`), one value or text with commas in place of a list, a number in a list of texts. `repair` makes further
 * changes to arguments that do not fit.
 * Throws `Failure` `wrong-usage` with a sentence that the model can act upon.
 */
export function readArguments<P extends z.ZodObject>(
  tool: string,
  parameters: P,
  given: unknown,
  repair: (given: unknown) => unknown = (same) => same,
): z.output<P> {
  const read = parameters.safeParse(given);
  if (read.success) return read.data;
  const repaired = parameters.safeParse(repair(converted(given, parameters)));
  if (repaired.success) return repaired.data;
  const issue = repaired.error.issues[0];
  const path = issue?.path.join(".") ?? "";
  throw new Failure(
    "wrong-usage",
    `Expected the arguments of ${tool} as they are described, but ${path === "" ? "the whole" : `\`${path}\``} has to be ${describeExpected(issue, TOOL_WORDS)}; got ${oneLine(JSON.stringify(given) ?? "nothing", 200)}.`,
    { tool, path },
  );
}

/** A value in the type that its schema asks for, if it can be read as one; else the same value. */
function converted(given: unknown, schema: z.ZodType): unknown {
  const type = innerType(schema);
  if (type instanceof z.ZodNumber) return seconds(given);
  if (type instanceof z.ZodArray) return list(given, innerType(type.element as z.ZodType));
  if (!(type instanceof z.ZodObject) || !isObject(given)) return given;
  const shape = type.shape as Readonly<Record<string, z.ZodType>>;
  return Object.fromEntries(
    Object.entries(given).map(([name, value]) => {
      const member = shape[name];
      return [name, member === undefined ? value : converted(value, member)];
    }),
  );
}

function innerType(schema: z.ZodType): z.ZodType {
  return schema instanceof z.ZodOptional ||
    schema instanceof z.ZodNullable ||
    schema instanceof z.ZodDefault
    ? innerType(schema.unwrap() as z.ZodType)
    : schema;
}

function isObject(value: unknown): value is object {
  return typeof value === "object" && value !== null && !Array.isArray(value);
}

function list(value: unknown, element: z.ZodType): unknown {
  if (value == null) return value;
  const items = Array.isArray(value)
    ? (value as unknown[])
    : typeof value === "string"
      ? value.split(/\s*,\s*/)
      : [value];
  if (element instanceof z.ZodNumber) return items.map(seconds);
  return items.map((item) => (typeof item === "number" ? String(item) : item));
}

/** `"70.5"`, `"70.5 s"`, `"1:10"`, `"1:02:03"` in seconds; anything else as it is. */
export function seconds(value: unknown): unknown {
  if (typeof value !== "string") return value;
  const [, plain, clock] =
    /^\s*(?:(\d+(?:\.\d+)?)\s*s?|(\d+(?::\d{1,2}){1,2}(?:\.\d+)?))\s*$/.exec(value) ?? [];
  if (plain !== undefined) return Number(plain);
  if (clock === undefined) return value;
  return clock.split(":").reduce((sum, part) => sum * 60 + Number(part), 0);
}
