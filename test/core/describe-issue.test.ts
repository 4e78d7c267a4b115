import { expect, test } from "vitest";
import { z } from "zod";
import { describeExpected } from "../../src/core/describe-issue.ts";

test.each<[z.ZodType, unknown, string]>([
  [z.number().min(1), 0, "at least 1"],
  [z.number().gt(1), 1, "more than 1"],
  [z.number().max(9), 10, "at most 9"],
  [z.number().lt(9), 9, "less than 9"],
  [z.number().multipleOf(2), 3, "a multiple of 2"],
  [z.number().int(), 1.5, "a whole number"],
  [z.number(), "many", "a number"],
  [z.coerce.number(), "many", "a number"],
  [z.string(), 1, "a string"],
  [z.string().min(1), "", "a non-empty string"],
  [z.string().min(3), "ab", "at least 3 characters long"],
  [z.string().max(3), "abcd", "at most 3 characters long"],
  [z.array(z.string()).min(2), ["a"], "at least 2 items long"],
  [z.boolean(), "yes", "true or false"],
  [z.enum(["a", "b"]), "c", "one of a, b"],
  [z.literal(3), 4, "3"],
  [z.url(), "notaurl", "an address with its protocol"],
  [z.strictObject({}), { far: 1 }, "without `far`"],
  [z.union([z.string(), z.number()]), null, "a valid value"],
  [z.string().refine(() => false, { error: "a name that is free" }), "a", "a name that is free"],
  [z.number({ error: "a number of clips" }), "x", "a number of clips"],
])("%# the expected value is described in words", (schema, given, words) => {
  const read = schema.safeParse(given);
  expect(describeExpected(read.error?.issues[0])).toBe(words);
});

test("a missing issue is described as unreadable", () => {
  expect(describeExpected(undefined)).toBe("readable");
});
