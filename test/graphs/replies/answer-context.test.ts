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

describe("an answer that the reply checks afterwards", () => {
  test.each([
    ["So the answer is C. Let me double check. 16 + 2 = 18. So it should be D.", "D"],
    ["So the answer is C. Let me verify: 16+2 = 18 cm, not 16. Therefore, D.", "D"],
    ["The answer is C. But hold on, the last step forgot 2 cm. 16+2 = 18. D.", "D"],
    ["The answer is B? Let's check: 14 is not 18, so B fails. 18 cm fits, therefore D.", "D"],
    // The check ends with no other letter.
    ["So the answer is C. Let me verify: 14+2 = 16 cm. Correct.", "C"],
    ["So the answer is C. Let me verify: 14+2 = 16 cm. So it is C.", "C"],
    ["The answer is C. Let me verify: the line ends at D.", "C"],
    ["Let me verify. 14+2 = 16. The answer is C.", "C"],
  ])("%j", (reply, letter) => {
    expect(finalLetter(reply, options).letter).toBe(letter);
  });
});

describe("an answer after a Chinese label", () => {
  test.each([
    ["最终选择：B", "B"],
    ["因此，最合适的选项是B。", "B"],
    ["最符合视频内容的选项是B。", "B"],
    ["最终选择：B或C", null],
    ["最终选择不是B", null],
    ["最不合适的选项是B。", null],
    ["最不符合视频内容的选项是B。", null],
    ["最合适的选项不是B。", null],
  ])("%j", (reply, letter) => {
    expect(finalLetter(reply, options).letter).toBe(letter);
  });
});
