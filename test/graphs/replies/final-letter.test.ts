import { describe, expect, test } from "vitest";
import { namesForeignLetter } from "../../../evals/benchmarks/sound-letter.ts";
import { finalLetter } from "../../../graphs/replies/choice/final-letter.ts";
import { finalPart } from "../../../graphs/replies/visible-reply.ts";
import { choice } from "../../evals/benchmarks/fixtures.ts";

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
    ["<thought>A</thought>B", "B"],
    ["<seed:think>A, no</seed:think>B", "B"],
    ["◁think▷A, no◁/think▷B", "B"],
    ["[THINK]A, no[/THINK]B", "B"],
    ["<|channel|>analysis<|message|>A?<|end|><|start|>assistant<|channel|>final<|message|>B", "B"],
    ["I think [Think of A] B", "I think [Think of A] B"],
  ])("%j", (reply, left) => {
    expect(finalPart(reply)).toBe(left);
  });
});

describe("the sound letter", () => {
  test("a reply that is only `[[X]]` is read as one with an invisible character", () => {
    const { options } = choice("q", "A");
    for (const letter of "ABCDEFGHIJKLMNOPQRSTUVWXYZ") {
      const reply = `\n[[${letter}]] `;
      expect(finalLetter(reply, options)).toEqual(finalLetter(`${reply}\u200b`, options));
    }
  });

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
      "this is option ",
      "if the answer is B. ",
      "Wait, that is wrong. ",
      "says that the second ",
      "'answer': '",
      "not A, but ",
      "so, the answer - ",
      ", not A",
      "A)))",
      "Option A is the best ",
      "【答",
      "~~A",
      "la ",
      "</s> ",
      "正确",
      "La respuesta correcta ",
      "La respuesta correcta es la ",
      "l'option ",
      "Правильный ответ — ",
      "सही उत्तर ",
      "الإجابة الصحيحة ",
      "答案选",
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
    ["\\boxed{A}\\boxed{C}", "A, C"],
    ["[[A]] [[C]]", "A, C"],
    ["$\\boxed{A}$ or $\\boxed{C}$", "A, C"],
    ["Answer: a or c", "A, C"],
    ["Answer: A (or C)", "A, C"],
    ["Respuesta: A o C", "A, C"],
    ["La réponse est A ou C.", "A, C"],
    ["Antwort: A oder C", "A, C"],
    ["Ответ: A или C", "A, C"],
    ["정답은 A 또는 C입니다.", "A, C"],
    ["答案是A还是C?", "A, C"],
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

describe("a reply that goes through the options", () => {
  test.each([
    ["A. red car\nB. blue sky\nC. two birds", null],
    ["A) red car - incorrect\nB) blue sky - incorrect\nC) two birds - correct", "C"],
    [
      "A. The man is walking. This is not supported by the video.\n\nB. The man is running. This is supp",
      null,
    ],
    ["A. The man is walking. This is not supported by the video.", null],
    ["(B) wrong\n(C) wrong\n(A) correct", "A"],
    ["Each option:\n(B) wrong\n(C) wrong\n(A) correct", "A"],
    ["A. ✗\nB. ✗\nC. ✓", "C"],
    ["A: incorrect, B: incorrect, C: correct", null],
    ["B: wrong. C: wrong. A: right.", null],
    ["A. red car\nB. blue sky\nC. two birds\n\nB. blue sky", "B"],
    ["The two birds are shown.\n\nA. red car is wrong.", null],
    ["C. two birds\n\nOther options:\nA. no car\nB. no sky\nD. no end", "C"],
    ["A. red car\n\nWhy not the others:\nB. no sky\nC. no birds", "A"],
    ["A. red car. The other options (B, C) are wrong.", "A"],
    ["B. The man is wrong about the car.", "B"],
    ["C. A man can be seen. B is not right.", "C"],
    ["Answer:\nA. red\nB. blue\nThe right one is unclear.", null],
  ])("%j", (reply, letter) => {
    expect(finalLetter(reply, choice("ABCDE").options).letter).toBe(letter);
  });
});

describe("an answer that is not that of the reply", () => {
  test.each([
    ["Answer: C\n\nThe second best choice is B.", "C"],
    ["Answer: C\n\nExplanation: The other plausible option is B, but the man smiles.", "C"],
    ["The answer is C. If the angle were 30, the answer would be B.", "C"],
    ["**Answer: C**\n\nNote: some may think the answer is B, but that ignores the hat.", "C"],
    ["The correct answer is C. The incorrect option is B.", "C"],
    ["Correct answer: C\nYour answer: D", "C"],
    ["Your answer: C", "C"],
    ["Correct answer: C. The student's answer is D.", "C"],
    ["If the answer is B, x would be 12, so", null],
    ["Let me check whether the answer is B: x = 12", null],
    ["Answer: C\n\nThe man is sad and the answer is A there.", "C"],
    ["Answer: A\n\nSo the answer is B.", "B"],
    ["I think the answer is B.", "B"],
    ["I would say the answer is D.", "D"],
    ["Since A is wrong, the answer is B.", "B"],
    ["If x = 3, then y = 4, so the answer is B.", "B"],
    ["Unlike the other options, the answer is B", "B"],
    ["Answer: B = 4 (D)", "D"],
    ["Answer: A = 4, so D", "D"],
    ["Answer: E = mc^2", null],
    ["To answer: A is wrong, B is right.", "B"],
    ["[[A]] is right and [[B]] is wrong.", "A"],
    ["The final answer is \\boxed{D}, since \\boxed{B} is wrong.", "D"],
    ["I don't think the answer is C.", null],
    ["There is no evidence that the answer is C.", null],
    ["The teacher explains that the answer is C. The video ends.", null],
    ["The least likely option is A.", null],
    ["Answer: B\n\nThe card shows the blood type.\nIt is A.", "B"],
    ['{"answer": ["B", "C"]}', null],
    ['{"reasoning": "it is A?", "selected_option": "B"}', "B"],
    ['{"answer_letter": "B", "confidence": 0.9}', "B"],
    ['{"predicted_answer": "(B) red"}', "B"],
    ["My best guess is C, given the lighting.", "C"],
    ["Hard to see. My guess: (C)", "C"],
    ["They say my guess is poor.", null],
    ['{"option": "B", "correct": false}', null],
    ['{"answer": "B", "options": [{"option": "A"}, {"option": "D"}]}', "B"],
  ])("%j", (reply, letter) => {
    expect(finalLetter(reply, choice("ABCDE").options).letter).toBe(letter);
  });
});

describe("a letter that a sentence sets against its answer", () => {
  test.each([
    ["The answer is not A but C", "C"],
    ["The answer is not A, but rather option C.", "C"],
    ["The answer isn't A; it's C.", "C"],
    ["It is not A, it is C.", "C"],
    ["It can't be A, so it's C", "C"],
    ["C, not A", "C"],
    ["C (not A or B)", "C"],
    ["The answer is not A.", null],
    ["Neither A nor C.", null],
    ["Answer: not C", null],
  ])("%j", (reply, letter) => {
    expect(finalLetter(reply, choice("ABCDE").options).letter).toBe(letter);
  });
});

describe("an option called right", () => {
  test.each([
    ["Option A is incorrect because it is blue. Option C is correct because he leaves.", "C"],
    ["Option A is incorrect.\nOption C is correct since he leaves.\nOption D is incorrect.", "C"],
    ["Option A is correct. Option C is the best choice, because he stays.", null],
    ["Option A is correct if he leaves. Option C is correct if he stays.", null],
    ["Option A is correct in saying that he leaves, but ignores the hat.", null],
    ["If option A is correct, he leaves.", null],
    ["Option B is partially correct.", null],
    ["Options A and C are correct.", null],
    ["Option C is correct because he leaves. Option D is also correct because he stays.", null],
    ["Option C is correct, and option D is correct.", null],
    ["Option C is correct because the dog runs, but option D is better.", null],
  ])("%j", (reply, letter) => {
    expect(finalLetter(reply, choice("ABCDE").options).letter).toBe(letter);
  });
});

describe("an answer on a line of its own", () => {
  const options = [
    { letter: "A", text: "The man leaves" },
    { letter: "B", text: "The dog barks" },
  ];
  test.each([
    ["The dog is loud.\n\n**B**\n\nExplanation: A is wrong because he stays.", "B"],
    ["He stays.\n(B) The dog barks\nConfidence: 0.8", "B"],
    ["He stays. Therefore, B is the best answer.\n\nConfidence: 0.8", "B"],
    ["The sign shows\nA\nand then\nB\nand nothing else.", null],
    ["Options:\nA. The man leaves\nB. The dog barks\nI cannot tell.", null],
    ["Maybe\n- B. The dog barks\nbut who knows.", null],
    ["He stays.\nB\nThis is not supported.", null],
    ["The sign shows\nB\nand a dog. I cannot determine the answer.", null],
    ["He stays.\nB. The dog barks\nThis is not shown in the video.", null],
    ["He sits down.\nThe dog barks (B).", "B"],
    ["The dog barks (A)", null],
    ["The dog barks loudly (B)", null],
  ])("%j", (reply, letter) => {
    expect(finalLetter(reply, options).letter).toBe(letter);
  });
});

describe("a self-correction", () => {
  test.each([
    ["The answer is B. Wait, actually it is A.", "A"],
    ["At first the answer is B, but on reflection it is A.", "A"],
    ["Answer: B\n\nWait, let me reconsider. The man walks.", null],
    ["[[B]]... Actually let me reconsider. The answer is D.", "D"],
    ["\\boxed{B}\n\nWait, I made an error. The correct answer is D.", "D"],
    ["C. Wait, actually it is A.", "A"],
    ["B. Wait, no.", null],
    ["Answer: A\n\nThe man waits for the bus.", "A"],
    ["Let me reconsider the frames. The answer is D.", "D"],
    ["Answer: A. Actually, B.", "B"],
    ["Answer: A\nActually, B", "B"],
    ["Answer: A. No, C.", "C"],
    ["Answer: B. Wait, no: C.", "C"],
    ["Answer: B. Wait, it should be C.", "C"],
    ["Answer: A. Actually, a man leaves.", "A"],
    ["Answer: A. No, he does not.", "A"],
    ["Answer: A. Sorry, I meant B.", "B"],
    ["Answer: A. On second thought, B.", "B"],
    ["Answer: A. On reflection, I'd go with B.", "B"],
    ["Answer: B. Actually, it is shown at 0:12.", "B"],
    ["Answer: B\nOption D states they leave the room. That is incorrect.", "B"],
    ["Answer: B. People say D but that is wrong.", "B"],
    ["The answer is B. That is wrong.", null],
    ["Answer: A. Scratch that, B.", "B"],
    ["Answer: A. Hmm, actually B.", "B"],
    ["Answer: A\nUpdated answer: B", "B"],
  ])("%j", (reply, letter) => {
    expect(finalLetter(reply, choice("ABCDE").options).letter).toBe(letter);
  });
});

describe("a letter on the first line", () => {
  test.each([
    ["C\n\nWhy not the others:\nA. no car\nB. no sky\nD. no end", "C"],
    ["**C**\n\nA. red: no\n\nB. blue: no", "C"],
    ["C\n\nA. red car is not there", "C"],
    ["C\n\nExplanation: the sky is blue", "C"],
    ["A\nThe car is red.\nB\nThe sky is blue.", null],
  ])("%j", (reply, letter) => {
    expect(finalLetter(reply, choice("ABCDE").options).letter).toBe(letter);
  });
});

describe("other forms of an answer", () => {
  test.each([
    ["A: C", "C"],
    ["Q: Which one?\nA: C", "C"],
    ['{"answer": "C"}', "C"],
    ['```json\n{"reason": "A is wrong", "answer": "C"}\n```', "C"],
    ["{'final_answer': 'B'}", "B"],
    ['{"answer": "A red bus"}', null],
    ["Answer: 12 cm (C)", "C"],
    ["Answer: 12 cm (option C)", "C"],
    ["Answer: the man (A) hit the ball (B)", null],
    ["The answer is therefore C.", "C"],
    ["The answer is most likely C.", "C"],
    ["This matches option C.", "C"],
    ["This corresponds to option C.", "C"],
    ["This does not match option C.", null],
    ["It's not clear whether it is option C.", null],
    ["Therefore, C.", "C"],
    ["Therefore, A man.", null],
    ["I choose C.", "C"],
    ["I would not choose C.", null],
    ["C<|im_end|>", "C"],
    ["C</s>", "C"],
    ["<|begin_of_box|>C<|end_of_box|>", "C"],
    ["选C", "C"],
    ["故选C。", "C"],
    ["所以选C。", "C"],
    ["不应选C", null],
    ["我选择C。", "C"],
    ["我不选C。", null],
    ["【答案】C", "C"],
    ["الإجابة: C", "C"],
    ["Respuesta correcta: C", "C"],
    ["La réponse est C.", "C"],
    ["Die Antwort ist C.", "C"],
    ["Ответ: C", "C"],
    ["정답: C", "C"],
    ["答え：C", "C"],
    ['{"answer": ["C"]}', "C"],
    ["\\boxed{\\textbf{(C)}\\ Red}", "C"],
    ["\u200bC\u2060", "C"],
    ["Answer: \u202aC\u202c", "C"],
    ["~~A~~ C", "C"],
    ["Answer: ~~A~~ C", "C"],
    ["~~A~~", null],
    ["<final_answer>C</final_answer>", "C"],
    ["Answer: <letter>C</letter>", "C"],
    ["<letter>C</letter>", "C"],
    ["It's C.", "C"],
    ["Probably C.", "C"],
    ["C [E3]", "C"],
    ["He runs.\n**C** [E1, E2]", "C"],
    ["So it is C. [E3]", "C"],
    ["C, because the dog runs.", "C"],
    ["答えはCです。", "C"],
    ["정답은 C입니다.", "C"],
    ["答えはCではありません。", null],
    ["答えはCまたはDです。", null],
    ["정답은 C가 아닙니다.", null],
    ["Final answer - C", "C"],
    ["So, I would say: C", "C"],
    ["#### C", "C"],
    ["The note is C.", null],
    ["So it is a dog.", null],
    ["I think the man plays in C.", null],
  ])("%j", (reply, letter) => {
    expect(finalLetter(reply, choice("ABCDE").options).letter).toBe(letter);
  });
});

test("an option that reads like a verdict is the option", () => {
  const options = [
    { letter: "A", text: "Yes" },
    { letter: "B", text: "No, he leaves" },
  ];
  expect(finalLetter("B. No, he leaves", options).letter).toBe("B");
  expect(finalLetter("B. No.", options).letter).toBe("B");
  expect(finalLetter("A. Yes\nB. No, he leaves", options).letter).toBeNull();
  expect(finalLetter("A. Yes - wrong\nB. No, he leaves - right", options).letter).toBe("B");
});

describe("a question about the weather", () => {
  const options = ["Tuesday", "Heavy rain", "A holiday", "Monday"].map((text, place) => ({
    letter: "ABCD"[place] as string,
    text,
  }));

  test.each<[string, string | null]>([
    ["Final answer: B\n\nLet me know if you want more details about option A.", "B"],
    ["A. Tuesday ❌\nB. Heavy rain ✅\nC. A holiday ❌\nD. Monday ❌", "B"],
    ["The answer is not A, C or D. It is B.", "B"],
    ["I first thought the answer is A. However, the subtitle says heavy rain, so B.", "B"],
    ["選択肢Bが正解です。", "B"],
    ["Odpowiedź: B", "B"],
    ["Svar: B", "B"],
    ["A resposta correta é B.", "B"],
    ["Jawaban: B", "B"],
    ["Het antwoord is B.", "B"],
    ["✅ B", "B"],
    ["Heavy rain (option B)", "B"],
    ["It’s option B, because A rainy day keeps people away.", "B"],
    ["A is incorrect. B is correct. C is incorrect. D is incorrect.", "B"],
    ["The answer is A and B", null],
    ["Neither A nor B.", null],
    ["The answer is not B", null],
    ["Heavy rain", "B"],
    ["Heavy rain.", "B"],
    ["Answer: Heavy rain", "B"],
    ["The answer is heavy rain.", "B"],
    ["\\boxed{\\text{Heavy rain}}", "B"],
    ['{"answer": "Heavy rain"}', "B"],
    ["Heavy rain\n\nIt is said at 0:12.", "B"],
    ["# Final Answer\n\n> B) Heavy rain", "B"],
    ["La respuesta correcta es la B) Heavy rain", "B"],
    ["- [ ] A\n- [x] B\n- [ ] C", "B"],
    ["It must be (B), as the narrator says.", "B"],
    ["I would go with B here", "B"],
    ["B\n\nExplanation: A holiday would have been shown; Option C is wrong.", "B"],
    ["Not B.", null],
    ["It isn't B", null],
    ["The answer cannot be B", null],
    ["A or B", null],
    ["I see vitamin B in the picture.", null],
    ["It could be (B), but I cannot tell.", null],
    ["(B) is wrong.", null],
    ["Is it (B)?", null],
    ["Tuesday\nHeavy rain", null],
    ["Tuesday and heavy rain", null],
    ["- [x] A\n- [x] B", null],
  ])("%j gives %s", (reply, letter) => {
    expect(finalLetter(reply, options).letter).toBe(letter);
  });

  test("words that differ in a sign or a digit are different options", () => {
    const numbers = ["-1", "1", "1.5", "15"].map((text, place) => ({
      letter: "ABCD"[place] as string,
      text,
    }));
    for (const { letter, text } of numbers)
      expect(finalLetter(`Answer: ${text}`, numbers).letter).toBe(letter);
  });
});

describe("an answer in a sentence of another language than English", () => {
  const options = choice("ABCDE").options;
  test.each<[string, string | null]>([
    ["La respuesta correcta es la opción B.", "B"],
    ["La respuesta correcta es la B.", "B"],
    ["La respuesta es la letra B.", "B"],
    ["La respuesta correcta es B) Heavy rain", "B"],
    ["La opción correcta es la B.", "B"],
    ["La opción correcta es B.", "B"],
    ["La respuesta correcta es: B", "B"],
    ["**La respuesta correcta es la opción B.**", "B"],
    ["Respuesta correcta: opción B", "B"],
    ["Por lo tanto, la respuesta correcta es la opción B.", "B"],
    ["A resposta correta é a opção B.", "B"],
    ["A resposta correta é a letra B.", "B"],
    ["A resposta correta é a B.", "B"],
    ["Resposta correta: alternativa B", "B"],
    ["A alternativa correta é a letra B.", "B"],
    ["A opção correta é B.", "B"],
    ["Portanto, a resposta é a alternativa B.", "B"],
    ["La bonne réponse est l'option B.", "B"],
    ["La bonne réponse est l’option B.", "B"],
    ["La réponse correcte est l'option B.", "B"],
    ["La réponse correcte est la lettre B.", "B"],
    ["La réponse est : B", "B"],
    ["La bonne réponse est la réponse B.", "B"],
    ["L'option correcte est B.", "B"],
    ["La bonne réponse est donc B.", "B"],
    ["La risposta corretta è l'opzione B.", "B"],
    ["La risposta corretta è la B.", "B"],
    ["La risposta è la lettera B.", "B"],
    ["L'opzione corretta è la B.", "B"],
    ["La risposta corretta è: B", "B"],
    ["答案选B", "B"],
    ["答案选 B。", "B"],
    ["正确选项是B", "B"],
    ["正确选项为 B。", "B"],
    ["正确的选项是B", "B"],
    ["答案是选项B", "B"],
    ["答案是选项 B。", "B"],
    ["答案为B", "B"],
    ["正確答案是B", "B"],
    ["正確選項是B。", "B"],
    ["因此，正确答案是选项B。", "B"],
    ["答案应选B", "B"],
    ["答案应该是B", "B"],
    ["最佳答案是B。", "B"],
    ["正确答案：B", "B"],
    ["正确选项：B", "B"],
    ["本题答案选B。", "B"],
    ["综上所述，答案选 B。", "B"],
    ["Правильный вариант: B", "B"],
    ["Правильный ответ — B.", "B"],
    ["Правильный ответ: B", "B"],
    ["Верный ответ — B", "B"],
    ["Правильный ответ — вариант B.", "B"],
    ["Правильный вариант ответа: B", "B"],
    ["Правильный ответ - B", "B"],
    ["Ответ — B", "B"],
    ["Правильный ответ — это B.", "B"],
    ["Правильным ответом является вариант B.", "B"],
    ["Правильна відповідь — B.", "B"],
    ["Правильна відповідь: B", "B"],
    ["Правильний варіант: B", "B"],
    ["Jawaban yang benar adalah B.", "B"],
    ["Jawaban yang tepat adalah B.", "B"],
    ["Jawaban yang benar adalah opsi B.", "B"],
    ["Jawabannya adalah B.", "B"],
    ["Jawaban: B", "B"],
    ["Jawaban yang benar: B", "B"],
    ["Đáp án đúng là B.", "B"],
    ["Đáp án là B", "B"],
    ["Đáp án chính xác là B.", "B"],
    ["Câu trả lời đúng là B.", "B"],
    ["Đáp án: B", "B"],
    ["Đáp án đúng là phương án B.", "B"],
    ["Phương án đúng là B.", "B"],
    ["सही उत्तर है: B", "B"],
    ["सही उत्तर B है।", "B"],
    ["सही उत्तर: B", "B"],
    ["सही उत्तर विकल्प B है।", "B"],
    ["उत्तर: B", "B"],
    ["सही विकल्प B है।", "B"],
    ["सही विकल्प है: B", "B"],
    ["Die richtige Antwort ist Option B.", "B"],
    ["Die richtige Antwort ist B.", "B"],
    ["Die korrekte Antwort ist B.", "B"],
    ["Die Antwort ist: B", "B"],
    ["Richtige Antwort: B", "B"],
    ["Die richtige Option ist B.", "B"],
    ["Die richtige Antwort lautet B.", "B"],
    ["Die Antwort lautet: B", "B"],
    ["정답은 B입니다", "B"],
    ["정답은 B입니다.", "B"],
    ["정답은 선택지 B입니다.", "B"],
    ["정답: B", "B"],
    ["정답은 (B)입니다.", "B"],
    ["올바른 답은 B입니다.", "B"],
    ["정답은 B번입니다.", "B"],
    ["답은 B입니다", "B"],
    ["正解はBです", "B"],
    ["正解はBです。", "B"],
    ["正解は選択肢Bです。", "B"],
    ["正しい答えはBです。", "B"],
    ["答えはBです", "B"],
    ["正しい選択肢はBです。", "B"],
    ["正解：B", "B"],
    ["正解は「B」です。", "B"],
    ["Doğru cevap B şıkkıdır", "B"],
    ["Doğru cevap B şıkkıdır.", "B"],
    ["Doğru cevap: B", "B"],
    ["Doğru cevap B'dir.", "B"],
    ["Doğru cevap B.", "B"],
    ["Doğru seçenek B'dir.", "B"],
    ["Doğru yanıt B seçeneğidir.", "B"],
    ["Cevap: B", "B"],
    ["الإجابة الصحيحة هي B", "B"],
    ["الإجابة الصحيحة هي الخيار B.", "B"],
    ["الجواب الصحيح هو B", "B"],
    ["الإجابة الصحيحة هي: B", "B"],
    ["الإجابة: B", "B"],
    ["الخيار الصحيح هو B.", "B"],
    ["Het juiste antwoord is B.", "B"],
    ["Het juiste antwoord is optie B.", "B"],
    ["Prawidłowa odpowiedź to B.", "B"],
    ["Rätt svar är B.", "B"],
    ["Rätt svar är alternativ B.", "B"],
    ["Răspunsul corect este B.", "B"],
    ["Správná odpověď je B.", "B"],
    ["Det rigtige svar er B.", "B"],
    ["RESPUESTA CORRECTA: B", "B"],
    ["RESPUESTA: B", "B"],
    ["La respuesta correcta es la opción A.", "A"],
    ["A resposta correta é a A.", "A"],
    ["A resposta é A.", "A"],
    ["La réponse est l'option A.", "A"],
    ["Doğru cevap A şıkkıdır.", "A"],
    ["答案选A", "A"],
    ["Đáp án đúng là A.", "A"],
    ["Правильный ответ — A.", "A"],
    ["La respuesta es A porque llueve.", "A"],
    ["Die Antwort ist A, weil es regnet.", "A"],
    ["A resposta correta é A (Tuesday).", "A"],
    ["सही उत्तर A है।", "A"],
    ["الإجابة الصحيحة هي A", "A"],
    ["정답은 A입니다", "A"],
    ["正解はAです。", "A"],
    // A denial, the wrong answer, several letters, or other words.
    ["La respuesta no es B", null],
    ["La respuesta correcta no es la opción B.", null],
    ["答案不是B", null],
    ["正确答案不是B", null],
    ["正确选项不是B。", null],
    ["不正确的选项是B", null],
    ["错误选项是B", null],
    ["错误答案是B", null],
    ["不正确答案是B", null],
    ["La réponse n'est pas B.", null],
    ["La bonne réponse n'est pas l'option B.", null],
    ["A resposta não é B.", null],
    ["A resposta não é a opção B.", null],
    ["Die Antwort ist nicht B.", null],
    ["Die richtige Antwort ist nicht Option B.", null],
    ["Die Antwort ist nicht (B).", null],
    ["The answer is not (B).", null],
    ["La risposta non è B.", null],
    ["Правильный ответ не B.", null],
    ["Правильный ответ — не B.", null],
    ["Неправильный ответ — B.", null],
    ["Неправильный вариант: B", null],
    ["Неверный ответ: B", null],
    ["Jawaban yang benar bukan B.", null],
    ["Jawaban yang salah adalah B.", null],
    ["Đáp án không phải là B.", null],
    ["Đáp án sai là B.", null],
    ["सही उत्तर B नहीं है।", null],
    ["गलत उत्तर B है।", null],
    ["正解はBではありません。", null],
    ["不正解はBです。", null],
    ["오답은 B입니다.", null],
    ["정답은 B가 아닙니다.", null],
    ["Doğru cevap B değil.", null],
    ["Doğru cevap B şıkkı değildir.", null],
    ["Yanlış cevap: B", null],
    ["الإجابة ليست B", null],
    ["الإجابة الخاطئة هي B", null],
    ["Die falsche Antwort ist B.", null],
    ["La mauvaise réponse est B.", null],
    ["La respuesta incorrecta es B.", null],
    ["La opción incorrecta es la B.", null],
    ["La respuesta es la Biblia.", null],
    ["A resposta é a Bíblia.", null],
    ["A resposta é a casa.", null],
    ["La respuesta es A o B.", null],
    ["A resposta é A e B.", null],
    ["Jawaban yang benar adalah A atau B.", null],
    ["Đáp án đúng là A hoặc B.", null],
    ["答案选A还是B？", null],
    ["Doğru cevap A veya B.", null],
    ["الإجابة الصحيحة هي A أو B", null],
    ["सही उत्तर A या B है", null],
    ["La respuesta es la opción B o C.", null],
    ["Правильный ответ — A или B.", null],
    ["Het antwoord is niet B.", null],
    ["La respuesta es la A o la B.", null],
    ["A resposta é a A ou a B.", null],
    ["Het foute antwoord is B.", null],
    ["答案选不出来。", null],
    ["答案不选B", null],
    ["不要选B", null],
    ["The answer is not (A) but unclear", null],
    // Options, and not an answer.
    ["观察答案选项A: 狗，答案选项B: 猫", null],
    // The last sentence denies another letter.
    ["Doğru cevap B. A değil.", "B"],
    ["Answer: not raining (C)", "C"],
  ])("%j gives %s", (reply, letter) => {
    expect(finalLetter(reply, options).letter).toBe(letter);
  });
});
