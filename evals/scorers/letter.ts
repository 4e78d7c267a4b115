import { defineScorer } from "./define-scorer.ts";

/** Right if the letter is that of the right option. */
export const letter = defineScorer({
  name: "letter",
  summary: "the letter of the right option",
  tasks: ["choice"],
  score(answer, { options, answer: right }) {
    const offered = options.some((option) => option.letter === right);
    return {
      value: answer === right ? 1 : 0,
      answer,
      explanation: `right is ${right}${offered ? "" : ", which is not among the options"}`,
    };
  },
});
