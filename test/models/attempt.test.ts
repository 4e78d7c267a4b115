import { expect, test } from "vitest";
import { answerOf, codeOf, retryAfterSeconds } from "../../src/models/attempt.ts";

const NOW = Date.parse("Wed, 21 Oct 2026 07:28:00 GMT");

test.each([
  ["7", 7],
  ["0.5", 0.5],
  ["-3", 0],
  ["Wed, 21 Oct 2026 07:28:30 GMT", 30],
  ["Wed, 21 Oct 2015 07:28:00 GMT", 0],
  ["soon", null],
  ["", null],
  [null, null],
])("Retry-After %j asks for %j seconds", (value, seconds) => {
  expect(retryAfterSeconds(value, NOW)).toBe(seconds);
});

test("codes and statuses are found in the causes of errors", () => {
  const refused = Object.assign(new Error("connect"), { code: "ECONNREFUSED" });
  const wrapped = new Error("fetch failed", { cause: new Error("again", { cause: refused }) });
  expect(codeOf(wrapped)).toBe("ECONNREFUSED");
  expect(answerOf(wrapped)).toBeUndefined();
  const rejected = Object.assign(new Error("no"), { status: 400, headers: new Headers() });
  expect(answerOf(new Error("too long", { cause: rejected }))).toEqual({
    status: 400,
    from: rejected,
  });
  expect(codeOf("a text")).toBeUndefined();
});
