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
    // A condition holds for the whole sentence, unless its end is `but the answer is`.
    ["If the first frame were all, it would be A, but the answer is B.", "B"],
    ["I was not sure whether it was A, but the answer is B.", "B"],
    ["I don't think it is A, but the answer is B.", "B"],
    ["I see 4 birds. If you count the reflection, however, the answer is C.", null],
    ["Answer: B\n\nIf you count the reflection, however, the answer is C.", "B"],
    ["Answer: C\nNote: if you ignore the intro, but count the credits, the answer is D.", "C"],
    ["The answer is C. If the clip were reversed, however, the correct option is D.", "C"],
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
    ['The answer is B. The man says "hold on" and points at the board showing A. C.', "B"],
  ])("%j", (reply, letter) => {
    expect(finalLetter(reply, options).letter).toBe(letter);
  });

  test("a check that ends with the same letter corrects nothing", () => {
    const read = finalLetter("The answer is B. Let me verify: yes. B.", options);
    expect(read).toEqual({ letter: "B", how: "answer is X" });
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

describe("a Chinese sentence that states an option", () => {
  test.each([
    ["B选项正确", "B"],
    ["B选项正确。", "B"],
    ["选项B正确。", "B"],
    ["B是正确答案", "B"],
    ["B选项是正确答案。", "B"],
    ["因此B选项最符合题意", "B"],
    ["因此，B选项最符合视频内容。", "B"],
    ["答案不是A，而是B", "B"],
    ["正确答案不是A而是B。", "B"],
    ["本题应选择B项", "B"],
    ["所以本题应选B选项。", "B"],
    ["A选项错误，B选项正确。", "B"],
    ["视频里下雨了，所以B选项正确。", "B"],
    ["旁白说下雨了，因此B是正确答案。", "B"],
    ["我认为B是正确答案。", "B"],
    ["B選項正確", "B"],
    ["排除A、C、D。\n因此B选项最符合题意。", "B"],
    ["B选项才是最合适的选项。", "B"],
    ["A选项可能正确，B选项正确。", "B"],
    ["最终选B项。", "B"],
    ["不选A，应选B项", "B"],
    ["观众投票，选B项", "B"],
    ["本题选B", "B"],
    ["应选择B项", "B"],
    ["只有B选项正确", "B"],
    ["这道题应该选B选项", "B"],
    // A denial, a supposition, a question, the view of others, or several letters.
    ["B选项不正确", null],
    ["B是正确答案吗", null],
    ["B是正确答案吗？", null],
    ["B不是正确答案", null],
    ["只有C不符合", null],
    ["B选项最不符合题意", null],
    ["B选项最符合题意吗", null],
    ["B选项最符合题意是错误的说法", null],
    ["如果下雨，那么B选项正确。", null],
    ["如果下雨，B选项正确。", null],
    ["有人认为B选项正确", null],
    ["老师说，B选项正确", null],
    ["表面上看，B选项正确", null],
    ["并非B选项正确", null],
    ["A选项正确。B选项正确。", null],
    ["A、B选项正确", null],
    ["A和B选项正确", null],
    ["AB选项正确", null],
    ["不能说B选项正确", null],
    ["本题不应选择B项", null],
    ["本题应选择B项吗？", null],
    ["错误答案不是A，而是B", null],
    ["如果答案不是A，而是B", null],
    ["答案不是A，而是B或C", null],
    ["答案不是A，而是B吗？", null],
    ["B选项正确的可能性很小", null],
    ["B选项正确？", null],
    ["我不认为B是正确答案", null],
    ["未必B选项正确", null],
    ["B选项正确。但是A选项更符合题意。", null],
    ["B选项正确。不对。", null],
    ["B选项正确，但A选项也正确", null],
    ["B项与视频不符", null],
    ["B选项不是最符合题意的", null],
    ["没有选项正确", null],
    ["难道B选项正确", null],
    ["以下哪项错误？B选项错误。", null],
    ["B选项是正确的吗", null],
    ["假设B选项正确", null],
    ["B选项正确与否未知", null],
    ["若B选项正确", null],
    ["不选B项", null],
    ["可能选B项", null],
    ["A，B是正确答案", null],
    ["A；B是正确答案", null],
    ["选项A，选项B是正确答案", null],
    ["观众投票，选B", null],
    ["题目要求选出错误的一项，B选项正确。", null],
    ["以下哪项不正确？B选项正确", null],
    ["不是B选项正确，就是C选项正确", null],
    ["本题不选B", null],
  ])("%j", (reply, letter) => {
    expect(finalLetter(reply, options).letter).toBe(letter);
  });
});

describe("an English sentence that states an option", () => {
  test.each([
    ["Therefore, (B) is the most suitable answer", "B"],
    ["The best answer to the question is B", "B"],
    ["The best answer to the question is (B).", "B"],
    ["By elimination, only C remains", "C"],
    ["A and B are wrong. So only option (C) is left.", "C"],
    ["Clearly, B is the most fitting answer.", "B"],
    ["The right answer to this question is: C", "C"],
    ["My answer to the question is D.", "D"],
    ["The answer to the question is not B but C", "C"],
    ["(B) is at least correct.", "B"],
    // A denial, a supposition, a question, the view of others, or several letters.
    ["The best answer to the question is not B", null],
    ["Therefore, (B) is not the most suitable answer", null],
    ["(B) is the least suitable answer", null],
    ["If so, (B) is the most suitable answer", null],
    ["If A is wrong, only C remains", null],
    ["Not only C remains", null],
    ["Only C remains unclear.", null],
    ["Does only C remain?", null],
    ["Suppose A is false. So only C remains wrong", null],
    ["The wrong answer to the question is B", null],
    ["The second best answer to the question is B", null],
    ["The answer to the question is B or C", null],
    ["If the answer to the question is B", null],
    ["The answer to the other question is B", null],
    ["Unless A fits, so only C remains", null],
    ["If so, only C remains", null],
    ["If so, B is the correct answer", null],
    ["(B) is the worst option", null],
    ["So B is the least accurate answer.", null],
  ])("%j", (reply, letter) => {
    expect(finalLetter(reply, options).letter).toBe(letter);
  });
});

test("a long reply in Chinese takes no long time", () => {
  for (const piece of [
    "因此",
    "因此,",
    "B选项",
    "答案不是A,而是",
    "最符合视频中的",
    "选出哪",
    "B是正确的",
  ])
    expect(finalLetter(`${piece.repeat(20_000)}x`, options).letter).toBeNull();
});
