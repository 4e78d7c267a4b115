import { expect, test } from "vitest";
import { parseChoice } from "../../../graphs/replies/parse-choice.ts";

const towns = ["Houston, Texas", "Pasadena", "Greenbelt, Maryland", "None of them"].map(
  (text, index) => ({ letter: "ABCD"[index] as string, text }),
);

test.each([
  ["C", "C"],
  ["c", "C"],
  ["(C)", "C"],
  ["C.", "C"],
  ["C) Greenbelt, Maryland", "C"],
  ["**C**", "C"],
  ["[[C]]", "C"],
  ["It is [[A]]. No, wait: [[C]]", "C"],
  ["\\boxed{C}", "C"],
  ["\\boxed{\\text{C}}", "C"],
  ["Answer: C", "C"],
  ["The narrator names it.\n\nAnswer: (C)", "C"],
  ["The answer is C because it is said.", "C"],
  ["The answer is A because it is said.", "A"],
  ["I see (A) and (B).\n\nAnswer: C", "C"],
  ["Of (A) and (B): the answer is c.", null],
  ["Of (A) and (B), the answer: A person waits", null],
  ["FINAL ANSWER: B, not C", "B"],
  ["A first look suggests Houston.\nAnswer: C", "C"],
  ["Greenbelt, Maryland", "C"],
  ["greenbelt maryland.", null],
  ["Greenbelt, Maryland.", "C"],
  ["It must be (C), as the narrator says.", "C"],
  ["I would go with C here", "C"],
  ["Neither (A) nor (C)", null],
  ["<think>Answer: A</think>\nC", "C"],
  ["<think>Answer: A", null],
  ["Answer: Z", null],
  ["[[Z]] or rather (B)", null],
  ["A person walks by.", null],
  ["I do not know.", null],
  ["", null],
])("%j gives %s", (text, letter) => {
  expect(parseChoice(text, towns)).toBe(letter);
});

test("a letter that the question does not offer is not an answer", () => {
  expect(parseChoice("D", towns.slice(0, 3))).toBeNull();
});
