import { parse as parseYaml } from "yaml";
import type { z } from "zod";
import { describeExpected } from "../../../src/core/describe-issue.ts";
import { Failure, oneLine } from "../../../src/core/errors.ts";

/** Parses JSON or YAML and checks its form. Throws `Failure` `data-malformed` that names the file, the place and the form. */
export function readYamlAs<T>(
  schema: z.ZodType<T> | ((value: unknown) => z.ZodType<T>),
  text: string,
  { name, what, form }: { name: string; what: string; form: string },
): T {
  let value: unknown;
  try {
    // YAML reads JSON as well.
    value = parseYaml(text);
  } catch (error) {
    throw new Failure(
      "data-malformed",
      `Cannot read ${name} as JSON or YAML: ${oneLine(error instanceof Error ? error.message : String(error))}`,
      { name },
    );
  }
  const read = (typeof schema === "function" ? schema(value) : schema).safeParse(value);
  if (read.success) return read.data;
  const issue = read.error.issues[0];
  throw new Failure(
    "data-malformed",
    `Invalid ${what} in ${name}: ${issue?.path.length ? `\`${issue.path.join(".")}\`` : "the content"} must be ${describeExpected(issue)}. Use ${form}.`,
    { name, path: issue?.path.join(".") },
  );
}
