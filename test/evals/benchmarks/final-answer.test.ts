import { describe, expect, test } from "vitest";
import {
  finalLetter,
  finalPart,
  namesForeignLetter,
} from "../../../evals/benchmarks/final-answer.ts";
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
    ["The answer is A dog", null, "no final answer"],
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
      "\\boxed{{}",
      "<b>",
      "<b>A",
      "答案是",
      "so A is the best best ",
    ])
      expect(finalLetter(`${piece.repeat(20_000)}?`, choice("ABCD").options).letter).toBeNull();
  });

  test("repeating one answer is that answer, and takes no longer", () => {
    for (const piece of ["[[A]] or ", "answer is A or ", "\\boxed{A}, ", "[[A, "])
      expect(finalLetter(`${piece.repeat(20_000)}[[A]]`, choice("ABCD").options).letter).toBe("A");
  });

  test("letters skipped by the data are not offered", () => {
    expect(finalLetter("[[G]]", choice("ABCDEFHIJK").options).letter).toBeNull();
    expect(finalLetter("[[H]]", choice("ABCDEFHIJK").options).letter).toBe("H");
  });
});

/** Twelve options, so that `I` is one of them. */
const TWELVE = choice("ABCDEFGHIJKL").options;

describe("an answer in the requested form, with the marks that models add", () => {
  test.each([
    ["Answer: <C>", "C"],
    ["Answer: \\<C\\>", "C"],
    ["Answer: \\(C\\)", "C"],
    ["Answer: $C$", "C"],
    ["Answer: Ｃ", "C"],
    ["Answer：（Ｃ）", "C"],
    ["答案：C", "C"],
    ["正确答案是C。", "C"],
    ["Answer: <b>C</b>", "C"],
    ["<strong>Answer: <em>C</em></strong>", "C"],
    ["Answer: \\textit{C}", "C"],
    ["\\boxed{C. 5}", "C"],
    ["\\boxed{\\text{(C) } \\frac{1}{2}}", "C"],
    ["The answer should be C", "C"],
    ["The correct option must be (C).", "C"],
    ["So C is correct.", "C"],
    ["The man leaves. Therefore, option (C) is the right answer.", "C"],
    ["C is not correct.", null],
    ["Maybe B or C is correct.", null],
  ])("%j", (reply, letter) => {
    for (const before of ["", "A or B? The answer could be D, I think.\n"])
      expect(finalLetter(before + reply, TWELVE).letter).toBe(letter);
  });
});

describe("the article and the pronoun", () => {
  test.each([
    ["Answer: I cannot determine this from the frames.", null],
    ["Answer: I am not sure", null],
    ["Answer: I'm not sure.", null],
    ["The answer is B?\nAnswer: I can't tell.", null],
    ["Answer: A cat", null],
    ["The answer is A small dog.", null],
    ["Answer: I", "I"],
    ["Answer: I.", "I"],
    ["Answer: (I) he leaves", "I"],
    ["Answer: I: text of the option", "I"],
    ["Answer: I text I", "I"],
    ["Answer: I because he leaves", "I"],
    ["Answer: I only saw a cat", null],
    ["Answer: A text A", "A"],
    ["The answer is A only", "A"],
    ["The answer is A obviously.", "A"],
    ["Answer: A slightly open door", null],
    ["Answer: A. cat", "A"],
    ["Answer: A The cat", "A"],
    ["The answer is A since he leaves.", "A"],
    ["Answer: B the text of the option", "B"],
  ])("%j", (reply, letter) => {
    expect(finalLetter(reply, TWELVE).letter).toBe(letter);
  });

  test("a refusal is not the choice of a letter that the question lacks", () => {
    const reply = "Answer: I cannot determine this from the frames.";
    expect(namesForeignLetter(reply, choice("ABCD"))).toBe(false);
    expect(namesForeignLetter("Answer: I", choice("ABCD"))).toBe(true);
  });
});

describe("several letters as one answer", () => {
  test.each([
    ["Answer: A or C", "A, C"],
    ["Answer: A, C", "A, C"],
    ["Answer: A and C", "A, C"],
    ["Answer: A/C", "A, C"],
    ["Answer: (A) or (C).", "A, C"],
    ["Answer: either A or C, it depends", "A, C"],
    ["The answer is A, B or I", "A, B, I"],
    ["[[B]] or [[C]]", "B, C"],
    ["The answer is [[B]] or [[C]].", "B, C"],
    ["[[B, C]]", "B, C"],
    ["\\boxed{A, C}", "A, C"],
    ["$\\boxed{A}$ or $\\boxed{C}$", "A, C"],
    ["Answer: a or c", "A, C"],
  ])("%j", (reply, letters) => {
    for (const before of ["", "The answer is D.\n", "[[D]]\n"])
      expect(finalLetter(before + reply, TWELVE)).toEqual({
        letter: null,
        how: `several letters as one answer: ${letters}`,
      });
  });

  test.each(["A, C", "A and C", "A/C"])("%j is no answer", (reply) => {
    const how = "several letters as one answer: A, C";
    expect(finalLetter(reply, TWELVE)).toEqual({ letter: null, how });
    expect(finalLetter(`The answer is D.\n${reply}`, TWELVE).letter).toBe("D");
  });

  test.each([
    ["The answer is A or C. On reflection, the answer is C.", "C"],
    ["Answer: A or C?\nAnswer: B", "B"],
    ["[[A]] or [[C]]\n[[B]]", "B"],
    ["The answer is A or C.\nB. The text", "B"],
    ["It is A, C or B.\nB", "B"],
    ["Answer: B, not C", "B"],
    ["Answer: B, C is wrong", "B"],
    ["Answer: B, A and C are wrong.", "B"],
    ["Answer: B (A or C is wrong)", "B"],
    ["Answer: B, I think", "B"],
    ["Answer: B, a dog", "B"],
    ["Answer: B, B", "B"],
  ])("%j is one answer", (reply, letter) => {
    expect(finalLetter(reply, TWELVE).letter).toBe(letter);
  });
});
