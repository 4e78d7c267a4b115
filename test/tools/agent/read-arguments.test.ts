import fc from "fast-check";
import { expect, test } from "vitest";
import { ANSWER, AnswerParameters, readAnswerCall } from "../../../graphs/agent/answer-call.ts";
import { withSeen } from "../../../graphs/toolbox/offered-tools.ts";
import { Failure } from "../../../src/core/errors.ts";
import { tools } from "../../../tools/agent/define-tool.ts";
import { readArguments } from "../../../tools/agent/read-arguments.ts";

const parametersOf = (name: string) =>
  withSeen(name === ANSWER ? AnswerParameters : tools.get(name).parameters);
const read = (name: string, given: unknown) =>
  name === ANSWER
    ? readAnswerCall(parametersOf(name), given)
    : readArguments(name, parametersOf(name), given);

const box = { x: 0.1, y: 0.2, width: 0.3, height: 0.4 };

test.each<[string, unknown, unknown]>([
  ["view_frames", { from_s: 1, to_s: 2, count: 3 }, { from_s: 1, to_s: 2, count: 3 }],
  [
    "view_frames",
    { from_s: "1:10", to_s: "70.5 s", count: "2" },
    { from_s: 70, to_s: 70.5, count: 2 },
  ],
  [
    "view_frames",
    { from_s: "1:02:03", to_s: 3800, count: 1 },
    { from_s: 3723, to_s: 3800, count: 1 },
  ],
  ["zoom", { at_s: "0:13", box: { ...box, x: "0.1" } }, { at_s: 13, box }],
  ["read_text", { at_s: 3, box: null }, { at_s: 3, box: null }],
  ["compare_frames", { times_s: "12, 0:13" }, { times_s: [12, 13] }],
  ["search_evidence", { query: "frog", kinds: "subtitle" }, { query: "frog", kinds: ["subtitle"] }],
  ["answer", { answer: 42, evidence: "E3, E7" }, { answer: "42", evidence: ["E3", "E7"] }],
  [
    "answer",
    { answer: "B", evidence: [3], confidence: "80 %" },
    { answer: "B", evidence: ["3"], confidence: 0.8 },
  ],
  ["answer", { answer: "B", confidence: 90 }, { answer: "B", evidence: [], confidence: 0.9 }],
  ["answer", { answer: "B", confidence: "high" }, { answer: "B", evidence: [], confidence: null }],
  ["answer", { answer: "B", confidence: 250 }, { answer: "B", evidence: [], confidence: null }],
  ["solve", { equations: "2x = 4", for: "x" }, { equations: ["2x = 4"], for: ["x"] }],
])("%s understands %j", (name, given, expected) => {
  expect(read(name, given)).toEqual(expected);
});

test.each<[string, unknown, string]>([
  ["view_frames", { from_s: "soon", to_s: 3, count: 1 }, "`from_s`"],
  ["view_frames", { from_s: 1, to_s: 3, count: 900 }, "`count`"],
  ["zoom", { at_s: 3, box: "left" }, "`box`"],
  ["compare_frames", { times_s: [3] }, "`times_s`"],
  ["answer", "{answer: B", "the whole"],
])("%s refuses %j in a sentence that names what is wrong", (name, given, words) => {
  expect(() => read(name, given)).toThrow(
    expect.objectContaining({ kind: "wrong-usage", message: expect.stringContaining(words) }),
  );
});

test("any value is read, or refused as wrong usage", () => {
  const names = [...tools.names(), ANSWER];
  fc.assert(
    fc.property(fc.constantFrom(...names), fc.jsonValue(), (name, given) => {
      try {
        expect(parametersOf(name).safeParse(read(name, given)).success).toBe(true);
      } catch (error) {
        expect(error).toBeInstanceOf(Failure);
        expect(error).toMatchObject({ kind: "wrong-usage" });
      }
    }),
  );
});
