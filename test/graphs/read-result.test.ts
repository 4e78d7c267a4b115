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

const HASH = "0".repeat(64);
const ANSWER = {
  ...{ status: "answered", answer: "B", cites: [], cited_by: "model", set: HASH, limits_met: [] },
  ...{ confidence: null, confidence_basis: null },
  usage: { calls: 1, frames: 0, input: 1, output: 1, cost: null, paid: null },
};
const SET = { id: HASH, base: null, items: [] };

test("a usual final state is returned", () => {
  const state = { answer: ANSWER, set: SET };
  expect(readFinalState(state as never, "mine")).toEqual(state);
});

test.each<[string, object, object, string]>([
  ["citations", { cites: [3] }, {}, "`answer.cites.0`"],
  ["a confidence", { confidence: "high" }, {}, "`answer.confidence`"],
  ["a confidence in percent", { confidence: 85 }, {}, "`answer.confidence`"],
  ["usage", { usage: {} }, {}, "`answer.usage."],
  ["diagnostics", { diagnostics: { count: 1n } }, {}, "`answer.diagnostics`"],
  ["items", {}, { items: [{ id: HASH }] }, "`set.items.0."],
])("%s of another form are refused in a final state", (_what, answer, set, member) => {
  const state = { answer: { ...ANSWER, ...answer }, set: { ...SET, ...set } };
  expect(() => readFinalState(state as never, "mine")).toThrow(
    `The strategy mine returned a wrong ${member}`,
  );
});

test("a graph has to end with an answer and its evidence", () => {
  expect(() => readFinalState({} as never, "mine")).toThrow(
    "The strategy mine returned a wrong `answer`: use an object.",
  );
});
