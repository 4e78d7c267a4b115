import type { z } from "zod";
import { describeExpected, type ValueWords } from "../src/core/describe-issue.ts";
import { Failure } from "../src/core/errors.ts";

/** Agents read these messages, so the memo keys of their later calls depend on the words. */
export const TOOL_WORDS: ValueWords = {
  string: "a text",
  nonEmpty: "a text that says something",
  other: "of another form",
};

/**
 * Parses the request to a tool by its schema and fills in the defaults.
 * Throws `Failure` `wrong-usage` that names the invalid field. `what` names the request in the message (`Expected
 * ${what} to be asked for properly`).
 */
export function parseRequest<S extends z.ZodType>(
  schema: S,
  given: unknown,
  what: string,
): z.output<S> {
  const read = schema.safeParse(given);
  if (read.success) return read.data;
  const issue = read.error.issues[0];
  const path = issue?.path.join(".") ?? "";
  throw new Failure(
    "wrong-usage",
    `Expected ${what} to be asked for properly, but ${path === "" ? "it" : `\`${path}\``} has to be ${describeExpected(issue, TOOL_WORDS)}.`,
    { path },
  );
}
