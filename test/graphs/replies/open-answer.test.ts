import { expect, test } from "vitest";
import { readOpenAnswer } from "../../../graphs/replies/open-answer.ts";

test.each([
  ["12", "12"],
  ["Answer: 12\n\nExplanation: the board shows 3 × 4 at 0:20.", "12"],
  ["Answer: 12\nEvidence: [E3] at 00:20", "12"],
  ["**Answer:** 12\n\nI am 90% confident.", "12"],
  ["Answer: 12\n\nConfidence: 90%", "12"],
  ["Answer: 12\n**Reasoning:** 3 × 4", "12"],
  ["Answer: 12.\n\n---\n*Video 2 of 3*", "12."],
  ["12\n\nThe board shows it at 00:35.", "12"],
  ["Answer: Paris\n\nExplanation: the Eiffel Tower is shown.", "Paris"],
  ["The final answer\nAnswer: 12", "12"],
  ["Explanation: 3 × 4\n\nAnswer: 12", "12"],
  ["Answer:\n\n12 apples", "12 apples"],
  ["**Paris**", "**Paris**"],
  ["**Answer: Paris**", "Paris"],
  [
    "Answer: He opens the door and looks outside.\n\nThen he leaves.",
    "He opens the door and looks outside.\n\nThen he leaves.",
  ],
  ["Two things:\n\na dog and a cat", "Two things:\n\na dog and a cat"],
  ["He explains why: the evidence: a letter", "He explains why: the evidence: a letter"],
  ["<think>Answer: 3</think>Answer: 4 [E2]", "4"],
  ["Answer:", null],
  ["NOT ANSWERED", null],
  ["**Not answered.**", null],
  ["NOT ANSWERED. The observations do not mention a price.", null],
  ["NOT ANSWERED: the video does not show it.", null],
  ["NOT ANSWERED\n\nNo price is shown.", null],
  ["Answer: NOT ANSWERED", null],
  ["Not answered calls are listed on the board.", "Not answered calls are listed on the board."],
  ["NOT ANSWERED CALLS", "NOT ANSWERED CALLS"],
  ["", null],
])("%j gives %j", (reply, answer) => {
  expect(readOpenAnswer(reply).answer).toBe(answer);
});

test("a reply that says in the words of the prompt that it has no answer refuses", () => {
  for (const reply of ["NOT ANSWERED", "NOT ANSWERED - it is not shown", "Answer: not answered"])
    expect(readOpenAnswer(reply)).toMatchObject({ answer: null, refuses: true });
});

test.each([
  "\n",
  " ",
  "\n ",
  "* \n",
  "* ",
  "_",
  "---\n",
  "answer",
  "\nAnswer:\n",
  "\nNote:\n",
  "[E1, ",
])("a long run of %j is read in little time", (piece) => {
  const began = performance.now();
  readOpenAnswer(`x${piece.repeat(100_000 / piece.length)}y`);
  expect(performance.now() - began).toBeLessThan(2000);
});
