import { expect, test } from "vitest";
import { parseCitations, withoutCitations } from "../../../graphs/replies/parse-citations.ts";

const known = new Set(["E1", "E2", "E3", "E4", "E23"]);

test.each<[string, string[], string[]]>([
  ["It is said [E2].", ["E2"], []],
  ["[E2, E1; e2] and [see E3]", ["E2", "E1", "E3"], []],
  ["[E2-E4]", ["E2", "E3", "E4"], []],
  ["[E2–4, E9]", ["E2", "E3", "E4"], ["E9"]],
  ["[E4-E2]", ["E4", "E2"], []],
  ["[E1-E900]", ["E1"], ["E900"]],
  ["[E2 - 12 s]", ["E2"], []],
  ["[E2 – 0:12] and [E3 - 4.5 s]", ["E2", "E3"], []],
  ["[E1 - 3]", ["E1", "E2", "E3"], []],
  ["(E23) and 【E2】", [], []],
  ["It is E23 (lens E2 of E3)", [], []],
  ["[E23], not [E2].", ["E23"], []],
  ["It is not in [E2] but in [E3]", ["E3"], []],
  ["nothing", [], []],
])("%j", (text, cited, unknown) => {
  expect(parseCitations(text, known)).toEqual({ cited, unknown });
});

test.each([
  ["A dog [E2, E3] runs [E4].", "A dog runs."],
  ["A dog [E2-E4]", "A dog"],
  ["A dog (E2)", "A dog (E2)"],
  ["[E2]\nA dog", "A dog"],
  ["An array [1, 2] of (E, 2)", "An array [1, 2] of (E, 2)"],
])("%j without citations", (text, words) => {
  expect(withoutCitations(text)).toBe(words);
});
