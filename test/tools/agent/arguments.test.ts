import fc from "fast-check";
import { expect, test } from "vitest";
import { Failure } from "../../../src/core/errors.ts";
import { readArguments, TOOL_ARGUMENTS, type ToolName } from "../../../tools/agent/arguments.ts";

const box = { x: 0.1, y: 0.2, width: 0.3, height: 0.4 };

test.each<[ToolName, unknown, unknown]>([
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
])("%s understands %j", (name, given, read) => {
  expect(readArguments(name, given)).toEqual(read);
});

test.each<[ToolName, unknown, string]>([
  ["view_frames", { from_s: "soon", to_s: 3, count: 1 }, "`from_s`"],
  ["view_frames", { from_s: 1, to_s: 3, count: 900 }, "`count`"],
  ["zoom", { at_s: 3, box: "left" }, "`box`"],
  ["compare_frames", { times_s: [3] }, "`times_s`"],
  ["answer", "{answer: B", "the whole"],
])("%s refuses %j in a sentence that names what is wrong", (name, given, words) => {
  expect(() => readArguments(name, given)).toThrow(
    expect.objectContaining({ kind: "wrong-usage", message: expect.stringContaining(words) }),
  );
});

test("anything at all is read, or refused as wrong usage", () => {
  const names = Object.keys(TOOL_ARGUMENTS) as ToolName[];
  fc.assert(
    fc.property(fc.constantFrom(...names), fc.jsonValue(), (name, given) => {
      try {
        expect(TOOL_ARGUMENTS[name].safeParse(readArguments(name, given)).success).toBe(true);
      } catch (error) {
        expect(error).toBeInstanceOf(Failure);
        expect(error).toMatchObject({ kind: "wrong-usage" });
      }
    }),
  );
});
