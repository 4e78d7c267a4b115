import { z } from "zod";
import { withoutReasoning } from "../../graphs/replies/reasoning.ts";

/*
 * How a judge's reply is read: only the reply without reasoning, whole and strictly. What could be understood in two ways is not
 * understood at all.
 */

/** What a reply was read as; or a clause on what is wrong with it, which repeats no word of the reply. */
export type Reading<V> = { value: V } | { problem: string };

/** The reply without reasoning tags and without one code fence around all of it. */
export function bareReply(reply: string): string {
  const text = withoutReasoning(reply).trim();
  return /^```[a-z]*\n([\s\S]*?)\n?```$/i.exec(text)?.[1]?.trim() ?? text;
}

/** A reply that has to be one JSON object of the schema and nothing else, after `label` where one is named. */
export function readObject<V>(reply: string, schema: z.ZodType<V>, label = ""): Reading<V> {
  const bare = bareReply(reply);
  if (bare === "") return { problem: "it held no words" };
  const text = label !== "" && bare.startsWith(label) ? bareReply(bare.slice(label.length)) : bare;
  let given: unknown;
  try {
    given = JSON.parse(text);
  } catch {
    return { problem: "it was not one JSON object alone" };
  }
  const read = schema.safeParse(given);
  return read.success ? { value: read.data } : { problem: problemOf(read.error) };
}

/** Schemas of replies word their own messages, so that none repeats what was given. */
function problemOf({ issues: [issue] }: z.ZodError): string {
  if (issue?.code === "unrecognized_keys") return "it had members that were not asked for";
  if (issue === undefined || issue.path.length === 0) return "it was not one JSON object alone";
  return `\`${issue.path.join(".")}\` ${issue.message}`;
}

/** A text with something in it. */
export function words(): z.ZodType<string> {
  const error = "has to be a text that says something";
  return z.string({ error }).trim().min(1, { error });
}

export function wholeNumber(from: number, to: number): z.ZodType<number> {
  const error = `has to be a whole number from ${from} to ${to}`;
  return z.int({ error }).min(from, { error }).max(to, { error });
}

export function oneOf<T extends string>(names: readonly T[]): z.ZodType<T> {
  return z.enum(names, { error: `has to be one of ${names.join(", ")}` });
}
