import { describe, expect, test } from "vitest";
import { finalLetter } from "../../../graphs/replies/choice/final-letter.ts";
import { choice } from "../../evals/benchmarks/fixtures.ts";

const { options } = choice("ABCDE");

describe("an answer after an opinion, a report or a supposition in its sentence", () => {
  test.each([
    ["Initially I thought the answer is C, but after recounting the answer is D.", "D"],
    ["I initially thought the answer was C, but the correct answer is D.", "D"],
    ["I thought about it carefully and the answer is D.", "D"],
    ["The video says the length is 18 cm, which means the answer is D.", "D"],
    ["The video explains that the area is halved, and the correct answer is D.", "D"],
    ["Assuming AB = 9, we get 18 cm and the answer is D.", "D"],
    ["People may think that the man is sad, but the answer is D.", "D"],
    // The answer belongs to the opinion, the report or the supposition.
    ["The teacher explains that the answer is C.", null],
    ["The teacher says that x is 18 and the answer is C.", null],
    ["The teacher says that x is 18, y is 9, and the answer is C.", null],
    ["The teacher explains that x is 18, and that the answer is C.", null],
    ["The teacher says, and I quote, that the answer is C.", null],
    ["Some may think it is short, and the answer is C.", null],
    ["People say it is short, but if it were long, the answer is C.", null],
    ["If x is 18, which means the answer is C.", null],
    ["Suppose the man leaves, and the answer is C.", null],
    ["Assuming the man leaves and the answer is C, x is 12.", null],
  ])("%j", (reply, letter) => {
    expect(finalLetter(reply, options).letter).toBe(letter);
  });
});
