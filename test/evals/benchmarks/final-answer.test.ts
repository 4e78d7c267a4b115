import { describe, expect, test } from "vitest";
import { finalLetter, finalPart } from "../../../evals/benchmarks/final-answer.ts";
import { choice } from "./fixtures.ts";

describe("the final part of a reply", () => {
  test.each([
    ["<think>A, no</think> B", "B"],
    ["<Thinking>A</Thinking>\n<reasoning>C</reasoning>B", "B"],
    ["so it is A</think>\nB", "B"],
    ["B <think>or is it", "B"],
    ["<think>one</think>two<think>three</think>four", "twofour"],
    ["A <answer> B </answer> C", "B"],
    ["<answer>A</answer><answer>B", "B"],
    ["plain", "plain"],
  ])("%j", (reply, left) => {
    expect(finalPart(reply)).toBe(left);
  });
});

describe("the sound letter", () => {
  test.each([
    ["[[B]]", "B", "[[X]]"],
    ["[[A]] at first, but then [[ (b) ]]", "B", "[[X]]"],
    ["Answer as [[X]]: [[C]]", "C", "[[X]]"],
    ["[[A]] \\boxed{B}", "A", "[[X]]"],
    ["It is \\boxed{\\text{D}}.", "D", "\\boxed{X}"],
    ["\\boxed{(C).}", "C", "\\boxed{X}"],
    ["The answer is B because A is wrong.", "B", "answer is X"],
    ["**Answer: C**", "C", "answer is X"],
    ["The best answer is: (D) a house", "D", "answer is X"],
    ["The correct option is option A", "A", "answer is X"],
    ["Answer: A. On reflection, answer: B", "B", "answer is X"],
    ["B", "B", "the whole reply"],
    ["b", "B", "the whole reply"],
    ["**B**", "B", "the whole reply"],
    ["(c).", "C", "the whole reply"],
    ["D. The old man", "D", "the whole reply"],
    ["Option B", "B", "the whole reply"],
    ["A and B look alike.\n\nC", "C", "the last line"],
    ["Looking at both.\n(B) it is a symbol", "B", "the last line"],
    ["<think>The answer is A</think>B", "B", "the whole reply"],
    ["A dog runs through the house.", null, "no final answer"],
    ["The answer is A dog", "A", "answer is X"],
    ["The answer is Above all", null, "no final answer"],
    // Only letters that the question offers.
    ["[[K]]", null, "no final answer"],
    ["[[B]] in the format [[X]]", "B", "[[X]]"],
    ["The answer is E", null, "no final answer"],
    ["", null, "no final answer"],
  ])("%j", (reply, letter, how) => {
    expect(finalLetter(reply, choice("ABCD").options)).toEqual({ letter, how });
  });

  test("no reply, however hostile, takes long", () => {
    for (const piece of [
      "<think>",
      "</think>",
      "<answer>",
      "answer is ",
      "answer :: ",
      "\\boxed{",
      "[[",
      "\\text{",
      " \n",
      "(",
      "answer\t",
    ])
      expect(finalLetter(`${piece.repeat(20_000)}?`, choice("ABCD").options).letter).toBeNull();
  });

  test("letters skipped by the data are not offered", () => {
    expect(finalLetter("[[G]]", choice("ABCDEFHIJK").options).letter).toBeNull();
    expect(finalLetter("[[H]]", choice("ABCDEFHIJK").options).letter).toBe("H");
  });
});
