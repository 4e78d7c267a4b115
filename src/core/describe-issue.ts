import type { z } from "zod";

/** Words for kinds of values. */
export interface ValueWords {
  string: string;
  nonEmpty: string;
  other: string;
}

const PLAIN: ValueWords = {
  string: "a string",
  nonEmpty: "a non-empty string",
  other: "a valid value",
};

/**
 * The value that a schema expects where it found an issue, to complete "must be ..." or "use ...": `at least 1`.
 * Error messages of the schema itself are returned unchanged.
 */
export function describeExpected(
  issue: z.core.$ZodIssue | undefined,
  words: ValueWords = PLAIN,
): string {
  if (issue === undefined) return "readable";
  switch (issue.code) {
    case "custom":
      return issue.message;
    case "invalid_type":
      return worded(
        issue,
        issue.expected === "string"
          ? words.string
          : (TYPES[issue.expected] ?? `a ${issue.expected}`),
      );
    case "invalid_value":
      return worded(issue, oneOf(issue.values));
    case "too_small": {
      const { minimum, inclusive, origin } = issue;
      if (origin === "string" && Number(minimum) === 1) return worded(issue, words.nonEmpty);
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
      return worded(issue, FORMATS[issue.format] ?? words.other);
    case "unrecognized_keys":
      return worded(issue, `without ${issue.keys.map((key) => `\`${key}\``).join(", ")}`);
    default:
      return worded(issue, words.other);
  }
}

const TYPES: Record<string, string> = {
  array: "a list",
  boolean: "true or false",
  int: "a whole number",
  null: "null",
  object: "an object",
};

const FORMATS: Record<string, string> = {
  datetime: "an RFC 3339 time, for example 2026-11-21T09:30:00Z",
  email: "an email address",
  url: "an address with its protocol",
  uuid: "a UUID",
};

/** The beginnings of zod's own messages. */
const ZOD_MESSAGE = /^(Too (small|big)|Invalid|Unrecognized|Expected)\b/;

function worded(issue: z.core.$ZodIssue, fallback: string): string {
  return issue.message === undefined || ZOD_MESSAGE.test(issue.message) ? fallback : issue.message;
}

function oneOf(values: readonly unknown[]): string {
  return values.length === 1 ? String(values[0]) : `one of ${values.join(", ")}`;
}

function unitOf(origin: string): string {
  if (origin === "string") return " characters long";
  return origin === "array" || origin === "set" ? " items long" : "";
}
