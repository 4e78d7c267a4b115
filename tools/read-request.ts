import type { z } from "zod";
import { describeExpected } from "../src/core/describe-issue.ts";
import { Failure } from "../src/core/errors.ts";

/**
 * What a tool is asked for, read by its schema with defaults filled in.
 * Throws `Failure` `wrong-usage` that names the member; `what` completes "Expected ... to be asked for properly".
 */
export function checked<S extends z.ZodType>(schema: S, given: unknown, what: string): z.output<S> {
  const read = schema.safeParse(given);
  if (read.success) return read.data;
  const issue = read.error.issues[0];
  const path = issue?.path.join(".") ?? "";
  throw new Failure(
    "wrong-usage",
    `Expected ${what} to be asked for properly, but ${path === "" ? "it" : `\`${path}\``} has to be ${describeExpected(issue)}.`,
    { path },
  );
}
