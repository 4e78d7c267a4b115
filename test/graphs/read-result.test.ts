import { expect, test } from "vitest";
import { readFinalState, readRunResult } from "../../graphs/read-result.ts";

test("a result keeps the members of a result only", () => {
  const answer = {
    status: "answered",
    answer: "B",
    cites: ["a"],
    usage: {},
    set: "id",
    limits_met: [],
  };
  expect(readRunResult(answer, "mine")).toEqual({ status: "answered", answer: "B", cites: ["a"] });
  expect(readRunResult({}, "mine")).toEqual({});
  expect(readRunResult({ answer: [2, 1], confidence: 0.5 }, "mine")).toEqual({
    answer: [2, 1],
    confidence: 0.5,
  });
});

test.each<[unknown, string]>([
  [null, "returned null: return { status, answer, cites, evidence }, all of them optional"],
  [undefined, "returned nothing: return { status, answer"],
  ["A", 'returned "A": return { status, answer'],
  [
    { answer: { answer: "A" } },
    "returned a wrong `answer`: use a text, a list of clip numbers, or null.",
  ],
  [{ status: "done" }, "returned a wrong `status`: use "],
  [{ confidence: 7 }, "returned a wrong `confidence`: use at most 1."],
  [{ reply: 5 }, "returned a wrong `reply`: use a string."],
  [{ evidence: [{}] }, "returned a wrong `evidence.0.id`: use "],
])("the result %j is refused by the strategy's name", (result, message) => {
  const read = () => readRunResult(result, "mine");
  expect(read).toThrow(expect.objectContaining({ kind: "code-failed" }));
  expect(read).toThrow(`The strategy mine ${message}`);
});

test("a graph has to end with an answer and its evidence", () => {
  expect(() => readFinalState({} as never, "mine")).toThrow(
    "The strategy mine returned a wrong `answer`: use an object.",
  );
});
