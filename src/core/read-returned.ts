import type { z } from "zod";
import { describeExpected } from "./describe-issue.ts";
import { Failure, oneLine } from "./errors.ts";

/**
 * Reads what the code of `definition`, such as `The strategy vote`, returned. Throws `Failure` `code-failed` with the wrong
 * member; `expected` completes "The strategy has to ...".
 */
export function readReturned<T>(
  schema: z.ZodType<T>,
  returned: unknown,
  definition: string,
  expected: string,
): T {
  const parsed = schema.safeParse(returned);
  if (parsed.success) return parsed.data;
  const [issue] = parsed.error.issues;
  const member = issue?.path.join(".") ?? "";
  const [, kind = "code"] = /^The (\w+)/.exec(definition) ?? [];
  const wrong =
    member === ""
      ? `${shown(returned)}: ${expected}`
      : `a wrong \`${member}\`: use ${describeExpected(issue)}. A ${kind} has to ${expected}`;
  throw new Failure("code-failed", `${definition} returned ${wrong}.`, { definition, member });
}

function shown(value: unknown): string {
  if (value === undefined) return "nothing";
  return oneLine(JSON.stringify(value) ?? `a ${typeof value}`, 60);
}
