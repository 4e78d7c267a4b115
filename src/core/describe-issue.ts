import type { z } from "zod";

/**
 * What a schema wanted of the member that an issue is about, to complete "to be ..." or "has to be ...": "at least 1".
 * What a schema says in words of its own is left as it is.
 */
export function describeExpected(issue: z.core.$ZodIssue | undefined): string {
  if (issue === undefined) return "readable";
  switch (issue.code) {
    case "custom":
      return issue.message;
    case "invalid_type":
      return worded(issue, TYPES[issue.expected] ?? `a ${issue.expected}`);
    case "invalid_value":
      return worded(issue, oneOf(issue.values));
    case "too_small": {
      const { minimum, inclusive, origin } = issue;
      if (origin === "string" && Number(minimum) === 1)
        return worded(issue, "a text that says something");
      return worded(
        issue,
        `${inclusive === false ? "more than" : "at least"} ${minimum}${unitOf(origin)}`,
      );
    }
    case "too_big": {
      const { maximum, inclusive, origin } = issue;
      return worded(
        issue,
        `${inclusive === false ? "less than" : "at most"} ${maximum}${unitOf(origin)}`,
      );
    }
    case "not_multiple_of":
      return worded(issue, `a multiple of ${issue.divisor}`);
    case "invalid_format":
      return worded(issue, FORMATS[issue.format] ?? `written as ${issue.format}`);
    case "unrecognized_keys":
      return worded(issue, `without ${issue.keys.map((key) => `\`${key}\``).join(", ")}`);
    default:
      return worded(issue, "of another form");
  }
}

const TYPES: Record<string, string> = {
  array: "a list",
  boolean: "true or false",
  int: "a whole number",
  null: "null",
  object: "an object",
  string: "a text",
};

const FORMATS: Record<string, string> = {
  email: "an email address",
  url: "an address with its protocol",
  uuid: "a UUID",
};

/** Zod's own messages begin in one of these ways; any other is the schema's. */
const ZODS = /^(Too (small|big)|Invalid|Unrecognized|Expected)\b/;

function worded(issue: z.core.$ZodIssue, ours: string): string {
  return issue.message === undefined || ZODS.test(issue.message) ? ours : issue.message;
}

function oneOf(values: readonly unknown[]): string {
  return values.length === 1 ? String(values[0]) : `one of ${values.join(", ")}`;
}

function unitOf(origin: string): string {
  if (origin === "string") return " characters long";
  return origin === "array" || origin === "set" ? " items long" : "";
}
