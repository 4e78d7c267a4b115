import { z } from "zod";
import { describeExpected } from "../../src/core/describe-issue.ts";
import { Failure, oneLine } from "../../src/core/errors.ts";
import { BoxInput } from "../video/box.ts";

/*
 * What a model gives to each tool of the agent. What the arguments mean is told in `prompts/agent/tools/`.
 */

const seen = z.string().max(2000).nullish();
const Time = z.number().min(0);

/** Kinds of evidence that hold words to be searched. */
export const SEARCHED_KINDS = ["caption", "text", "equation", "subtitle"] as const;

/** Frames that one look shows at most, and items that one search or one stretch of subtitles hands back. */
export const MOST_LOOKED_AT = 16;

export const TOOL_ARGUMENTS = {
  overview: z.object({ from_s: Time.nullish(), to_s: Time.nullish(), seen }),
  search_evidence: z.object({
    query: z.string().min(1).max(2000),
    kinds: z.array(z.enum(SEARCHED_KINDS)).nullish(),
    from_s: Time.nullish(),
    to_s: Time.nullish(),
    seen,
  }),
  view_frames: z.object({
    from_s: Time,
    to_s: Time,
    count: z.int().min(1).max(MOST_LOOKED_AT),
    seen,
  }),
  view_clip: z.object({ from_s: Time, to_s: Time, seen }),
  zoom: z.object({ at_s: Time, box: BoxInput, seen }),
  read_text: z.object({ at_s: Time, box: BoxInput.nullish(), seen }),
  subtitles: z.object({ from_s: Time, to_s: Time, seen }),
  compare_frames: z.object({ times_s: z.array(Time).min(2).max(6), seen }),
  calculate: z.object({ expression: z.string().min(1).max(1000), seen }),
  solve: z.object({
    equations: z.array(z.string().min(1).max(500)).min(1).max(8),
    for: z.array(z.string().min(1).max(20)).min(1).max(8),
    seen,
  }),
  answer: z.object({
    answer: z.string().max(8000),
    evidence: z.array(z.string().max(40)).max(64).default([]),
    confidence: z.number().min(0).max(1).nullish(),
    seen,
  }),
} as const;

export type ToolName = keyof typeof TOOL_ARGUMENTS;
export type Arguments<N extends ToolName> = z.output<(typeof TOOL_ARGUMENTS)[N]>;

export function isTool(name: string): name is ToolName {
  return Object.hasOwn(TOOL_ARGUMENTS, name);
}

/**
 * Arguments as a model wrote them. What a person would understand is understood: numbers and clock times as text
 * (`"70.5"`, `"1:10"`), one value where a list is due, a whole number for a text, percents for a share. A confidence that is none counts
 * as not given.
 * Throws `Failure` `wrong-usage` with a sentence that the model can act upon.
 */
export function readArguments<N extends ToolName>(name: N, given: unknown): Arguments<N> {
  const schema: z.ZodType = TOOL_ARGUMENTS[name];
  const read = schema.safeParse(given);
  if (read.success) return read.data as Arguments<N>;
  const mended = schema.safeParse(understood(given));
  if (mended.success) return mended.data as Arguments<N>;
  const issue = mended.error.issues[0];
  const path = issue?.path.join(".") ?? "";
  throw new Failure(
    "wrong-usage",
    `Expected the arguments of ${name} as they are described, but ${path === "" ? "the whole" : `\`${path}\``} has to be ${describeExpected(issue)}; got ${oneLine(JSON.stringify(given) ?? "nothing", 200)}.`,
    { tool: name, path },
  );
}

const TIMES = ["from_s", "to_s", "at_s", "count", "x", "y", "width", "height"];
const LISTS = ["times_s", "kinds", "evidence", "equations", "for"];

function understood(given: unknown): unknown {
  if (typeof given !== "object" || given === null || Array.isArray(given)) return given;
  return Object.fromEntries(
    Object.entries(given).map(([name, value]) => {
      if (name === "confidence") return [name, shareOf(secondsOf(value))];
      if (TIMES.includes(name)) return [name, secondsOf(value)];
      if (LISTS.includes(name)) return [name, listOf(value, name === "times_s")];
      if (name === "box") return [name, understood(value)];
      return [name, typeof value === "number" && name === "answer" ? String(value) : value];
    }),
  );
}

/** One value, or several with commas between them, where a list is due. */
function listOf(value: unknown, ofTimes: boolean): unknown {
  if (value == null) return value;
  const list = Array.isArray(value)
    ? (value as unknown[])
    : typeof value === "string"
      ? value.split(/\s*,\s*/)
      : [value];
  return list.map((one) =>
    ofTimes ? secondsOf(one) : typeof one === "number" ? String(one) : one,
  );
}

/** `80` and `"80 %"` are 0.8; null for what is no share, such as `"high"`: no answer is worth losing for it. */
function shareOf(value: unknown): number | null {
  const percent =
    typeof value === "string" ? /^\s*(\d+(?:\.\d+)?)\s*%/.exec(value)?.[1] : undefined;
  const number = percent === undefined ? value : Number(percent);
  if (typeof number !== "number") return null;
  const share = number > 1 || percent !== undefined ? number / 100 : number;
  return share >= 0 && share <= 1 ? share : null;
}

/** `"70.5"`, `"70.5 s"`, `"1:10"`, `"1:02:03"` in seconds; anything else as it is. */
function secondsOf(value: unknown): unknown {
  if (typeof value !== "string") return value;
  const [, plain, clock] =
    /^\s*(?:(\d+(?:\.\d+)?)\s*s?|(\d+(?::\d{1,2}){1,2}(?:\.\d+)?))\s*$/.exec(value) ?? [];
  if (plain !== undefined) return Number(plain);
  if (clock === undefined) return value;
  return clock.split(":").reduce((sum, part) => sum * 60 + Number(part), 0);
}
