import fc from "fast-check";
import { describe, expect, test } from "vitest";
import { officialOrder } from "../../../evals/benchmarks/vcrbench/read-order.ts";
import { soundOrder } from "../../../graphs/replies/order/sound-order.ts";

const none = null;

describe("the sound reader", () => {
  test.each([
    ["Clip 1, Clip 2, Clip 3 are shuffled. Correct order: 3, 2, 1", [3, 2, 1]],
    ["Correct order: 2 -> 1 -> 3", [2, 1, 3]],
    ["Correct order: Clip 2 → Clip 1 → Clip 3.", [2, 1, 3]],
    ["**Correct order:** Clip 3, Clip 1, and Clip 2", [3, 1, 2]],
    ["Correct order: 1, 2, 3. Wait, no.\nCorrect order: 3, 1, 2", [3, 1, 2]],
    ["Correct order: 3, 1, 2\n\nThe correct order is the one that melts first.", [3, 1, 2]],
    ["Correct order: 3, 1, 2. Not 1, 2, 3.\nThe correct order is clear.", [3, 1, 2]],
    ["Correct order: **3**, **1**, **2**", [3, 1, 2]],
    ["Correct order: 3, 1, and 2", [3, 1, 2]],
    ["Correct order: 3, then 1, then 2", [3, 1, 2]],
    ["Correct order:\n3, 1, 2", [3, 1, 2]],
    ["Correct order:\n1. Clip 3\n2. Clip 1\n3. Clip 2", [3, 1, 2]],
    ["Correct order:\n- Clip 3: melt the butter\n- Clip 1: add 2 eggs\n- Clip 2: stir", [3, 1, 2]],
    ["Correct order: Clip 3 (2 eggs), Clip 1 (stir), Clip 2 (bake)", [3, 1, 2]],
    ["Correct order: [3, 1, 2]", [3, 1, 2]],
    ["Correct order: (3, 1, 2)", [3, 1, 2]],
    ["Correct order: first Clip 3, then Clip 1, finally Clip 2", [3, 1, 2]],
    ["Step 1: Clip 3, Step 2: Clip 1, Step 3: Clip 2", [3, 1, 2]],
    ["Correct order: Step 1: Clip 3, Step 2: Clip 1, Step 3: Clip 2", [3, 1, 2]],
    // The clips by the names that a prompt gives them.
    ["Correct order: Step 2, Step 1, Step 3", [2, 1, 3]],
    ["**Correct order:** Step 2 → Step 1 → Step 3.", [2, 1, 3]],
    ["The correct order is Event 2, Event 1, and Event 3. She washes first.", [2, 1, 3]],
    ["Correct order:\nSteps 2, 1, 3", [2, 1, 3]],
    ["Correct order: Step 2, Step 1, Step 3 or Step 1, Step 2, Step 3", none],
    ["Correct order: Step 1: wash, Step 2: cut, Step 3: serve", none],
    ["Correct order:\nStep 1: wash\nStep 2: cut\nStep 3: serve", none],
    ["The video shows Step 1, Step 2, Step 3.", none],
    ["<think>Correct order: 1, 2, 3</think>3, 1, 2", [3, 1, 2]],
    ["1, 2, 3 maybe</think>\nCorrect order: 3, 1, 2", [3, 1, 2]],
    ["<think>Correct order: 1, 2, 3", none],
    ["3, 1, 2 (3 clips)", [3, 1, 2]],
    ["Clips 1, 2, 3 shown. I say 3, 1, 2", [3, 1, 2]],
    ["3\n1\n2", [3, 1, 2]],
    ["3 1 2", [3, 1, 2]],
    ["Final order = 3-1-2", [3, 1, 2]],
    // The requested form with marks that models add.
    ["Correct order: \\(3, 1, 2\\)", [3, 1, 2]],
    ["Correct order: $3 \\rightarrow 1 \\rightarrow 2$", [3, 1, 2]],
    ["Correct order: <3>, <1>, <2>", [3, 1, 2]],
    ["Correct order: <Clip 3>, <Clip 1>, <Clip 2>", [3, 1, 2]],
    ["Correct order: <3, 1, 2>", [3, 1, 2]],
    ["Correct order: <b>3, 1, 2</b>", [3, 1, 2]],
    ["Correct order: ３，１，２", [3, 1, 2]],
    // Another order after the answer does not replace it.
    ["Correct order: 3, 1, 2\nOriginal order: 1, 2, 3", [3, 1, 2]],
    ["Correct order:\n3, 1, 2\n\nShown order: 1, 2, 3", [3, 1, 2]],
    ["Correct order: 3, 1, 2\nAn order: 1, 2, 3 would melt nothing.", [3, 1, 2]],
    ["Order: 3, 1, 2\nOriginal order: 1, 2, 3", [3, 1, 2]],
    ["The correct order is 3, 1, 2.\nThe original order: 1, 2, 3.", [3, 1, 2]],
    ["3, 1, 2\nOriginal order: 1, 2, 3", [3, 1, 2]],
    ["We need the correct order of clips 1, 2, 3.\nOrder: 3, 1, 2", [3, 1, 2]],
    ["They are sorted already, so I keep the original order: 3, 1, 2", [3, 1, 2]],
    // A final answer that is no permutation is not replaced by an earlier one.
    ["1, 2, 3. Correct order: 3, 3, 1", none],
    ["Correct order: 1, 2, 3, 4", none],
    // Sentences that name the clips are not an answer.
    ["I cannot determine the correct order of clips 1, 2, 3.", none],
    ["The correct order of the three clips cannot be determined: 1, 2, 3.", none],
    ["The video has clips 1, 2, 3.", none],
    ["Clip 1, Clip 2, Clip 3 are shuffled.", none],
    ["The correct order of clips 1, 2, 3 is 2, 1, 3.", [2, 1, 3]],
    ["The correct order is 1, 2, 3.", [1, 2, 3]],
    ["My answer is 1, 2, 3.", [1, 2, 3]],
    ["I don't know the recipe, but Correct order: 2, 1, 3", [2, 1, 3]],
    ["The correct order is not 1, 2, 3 but 2, 3, 1.", [2, 3, 1]],
    ["The correct order is not 1, 2, 3.", none],
    ["Correct order: 2, 3, 1\n\nWait, that is wrong. It should be 2, 1, 3.", [2, 1, 3]],
    ["Correct order: 2, 3, 1\nCorrection: 3, 2, 1", [3, 2, 1]],
    ["Correct order: 2, 3, 1\n\nWait, that is wrong.", none],
    ["Correct order:\n1. 3\n2. 1\n3. 2", [3, 1, 2]],
    ["First Clip 3, then Clip 1, and finally Clip 2.", [3, 1, 2]],
    ["Correct order: 3/1/2", [3, 1, 2]],
    ["Correct order: 3 | 1 | 2", [3, 1, 2]],
    ["Correct order: 3, 1, 2</s>", [3, 1, 2]],
    ["I cannot tell.", none],
    ["", none],
    // A correction in the line of the answer, or after it.
    ["Correct order: 3, 1, 2. Wait, it should be 1, 3, 2.", [1, 3, 2]],
    ["Correct order: 3, 1, 2. Wait, no: 1, 3, 2.", [1, 3, 2]],
    ["Correct order: 3, 1, 2.\nActually, 1, 3, 2.", [1, 3, 2]],
    ["Correct order: 3, 1, 2. Actually, it is hard to say.", none],
    ["Correct order: 3, 1, 2. There are actually 2 eggs.", [3, 1, 2]],
    // Two orders as one answer.
    ["Correct order: 3, 1, 2 or 1, 3, 2", none],
    ["Correct order: either 3, 1, 2 or 1, 3, 2.", none],
    ["3, 1, 2 or 1, 3, 2", none],
    ["Correct order: 3, 1, 2 or 3, 1, 2", [3, 1, 2]],
    ["3, 1, 2 or 1, 3, 2? On reflection, 1, 3, 2.", [1, 3, 2]],
    ["It may be 3, 1, 2 or 1, 3, 2.\nCorrect order: 2, 3, 1", [2, 3, 1]],
    ["It could be 2, 3, 1 or 3, 2, 1. Since she washes first, it is 2, 3, 1.", [2, 3, 1]],
    ["Should it be 2, 3, 1 or 3, 2, 1?\n\nAnswer: 2, 3, 1", [2, 3, 1]],
    ["Correct order: 2, 3, 1\nI also considered 2, 3, 1 or 3, 2, 1.", [2, 3, 1]],
    ["Correct order: 2, 3, 1; alternatively 3, 2, 1", none],
    ["Correct order: 2, 3, 1 (or 3, 2, 1)", none],
    ["Correct order: 2, 3, 1 (alternatively, clip 3, clip 2, clip 1)", none],
    ["Correct order: 2, 3, 1 (clips 3 and 2 follow each other)", [2, 3, 1]],
    // Lists that are not the answer.
    ["Answer: 2, 3, 1\nScores: 3, 2, 1", [2, 3, 1]],
    ["Answer: Clip 1 melts last.\n2, 3, 1", [2, 3, 1]],
    ["2, 3, 1\nEvidence: 3, 2, 1", [2, 3, 1]],
    ["Order: 2, 3, 1\nAlternative order: 1, 3, 2", [2, 3, 1]],
    ['{"answer": [2, 3, 1], "frames": [1, 3, 2]}', [2, 3, 1]],
    ['{"order": [2, 3, 1], "alternative_order": [3, 2, 1]}', [2, 3, 1]],
    // Other forms.
    ["Correct order: #3, #1, #2", [3, 1, 2]],
    ["Correct order: ٣، ١، ٢", [3, 1, 2]],
    ["Correct order: 3, 1, 2 [E2, E1, E3]", [3, 1, 2]],
    ['{\n"order": [\n  "Clip 3",\n  "Clip 1",\n  "Clip 2"\n]\n}', [3, 1, 2]],
    ['{"correct_order": [3, 1, 2]}', [3, 1, 2]],
    ['```json\n{\n  "correct_order": [\n    3,\n    1,\n    2\n  ]\n}\n```', [3, 1, 2]],
    ['{"final_order": ["Clip 3", "Clip 1", "Clip 2"], "given_order": [1, 2, 3]}', [3, 1, 2]],
    ["Position 1: Clip 3\nPosition 2: Clip 1\nPosition 3: Clip 2", [3, 1, 2]],
    ["1st: Clip 3\n2nd: Clip 1\n3rd: Clip 2", [3, 1, 2]],
    [
      "Correct order:\n| | Clip |\n|---|---|\n| 1 | Clip 3 |\n| 2 | Clip 1 |\n| 3 | Clip 2 |",
      [3, 1, 2],
    ],
    [
      "Correct order:\n| 1 | Clip 3 | 2 eggs |\n| 2 | Clip 1 | - |\n| 3 | Clip 2 | bake |",
      [3, 1, 2],
    ],
    ["Correct order: ٣, ١, ٢", [3, 1, 2]],
    ["Correct order: ~~1, 2, 3~~ 3, 1, 2", [3, 1, 2]],
    ["[THINK]Correct order: 1, 2, 3[/THINK]3, 1, 2", [3, 1, 2]],
    // Numbered lists.
    ["1) Clip 3\n2) Clip 1\n3) Clip 2", [3, 1, 2]],
    ["Correct order:\n1) Clip 3: pour\n2) Clip 1: stir\n3) Clip 2: serve", [3, 1, 2]],
    ["Correct order: 1) Clip 3, 2) Clip 1, 3) Clip 2", [3, 1, 2]],
    ["(1) Clip 3\n(2) Clip 1\n(3) Clip 2", [3, 1, 2]],
    ["1.) Clip 3\n2.) Clip 1\n3.) Clip 2", [3, 1, 2]],
    ["[1] Clip 3\n[2] Clip 1\n[3] Clip 2", [3, 1, 2]],
    ["1] Clip 3\n2] Clip 1\n3] Clip 2", [3, 1, 2]],
    ["- 1) **Clip 3**\n- 2) **Clip 1**\n- 3) **Clip 2**", [3, 1, 2]],
    ["Step 1) Clip 3\nStep 2) Clip 1\nStep 3) Clip 2", [3, 1, 2]],
    ["#1 Clip 3\n#2 Clip 1\n#3 Clip 2", [3, 1, 2]],
    ["#1: Clip 3\n#2: Clip 1\n#3: Clip 2", [3, 1, 2]],
    ["Correct order:\n1 - Clip 3\n2 - Clip 1\n3 - Clip 2", [3, 1, 2]],
    ["1 – Clip 3 (pour)\n2 – Clip 1 (stir)\n3 – Clip 2 (serve)", [3, 1, 2]],
    ["1 - Clip 3 - Clip 2", [1, 3, 2]],
    ["1) Clip 3\n2) Clip 3\n3) Clip 2", none],
  ])("%j", (reply, answer) => {
    expect(soundOrder(reply, 3).answer).toEqual(answer);
  });

  test("says which label the list follows", () => {
    const how = (reply: string) => soundOrder(reply, 3).how;
    expect(how("Correct order: 3, 1, 2\nOriginal order: 1, 2, 3")).toBe("after `Correct order:`");
    expect(how("New order: 3, 1, 2\nOriginal order: 1, 2, 3")).toBe("after `order:`");
  });

  test("no reply, however hostile, takes long", () => {
    for (const piece of [
      "(1111111111",
      "1 ",
      "clip 1 ",
      "<think>",
      "1, ",
      " \n",
      "\t ",
      "Correct order: ",
      "(clip 1 2",
      "original order: ",
      "order: ",
      "<1",
      "1.",
      "- ",
      "not 1, 2, ",
      "1. 3\n",
      "1, finally ",
      "of clips 1, ",
      "clips are 1. ",
      "Wait. ",
      "actually 1, ",
      "1, 2, 3 or 2, 1, 3 or ",
      "| 1 | clip 1 ",
      "1,\n",
      "~~1",
      "1) clip 1\n",
      "(1",
      "1 - clip ",
      "#1 clip 1\n",
      "\n1 ",
    ])
      expect(soundOrder(`${piece.repeat(20_000)}x%`, 3).answer).toBeNull();
  });

  test("both readers read an order in the requested format", () => {
    fc.assert(
      fc.property(
        fc.integer({ min: 2, max: 7 }).chain((n) =>
          fc.shuffledSubarray(
            Array.from({ length: n }, (_, i) => i + 1),
            { minLength: n, maxLength: n },
          ),
        ),
        fc.constantFrom("", "Clip "),
        (order, word) => {
          const reply = `Correct order: ${order.map((clip) => word + clip).join(", ")}`;
          expect(soundOrder(reply, order.length).answer).toEqual(order);
          expect(officialOrder(reply, order.length).answer).toEqual(order);
        },
      ),
    );
  });
});

describe("clips in Chinese", () => {
  test.each([
    ["片段3 -> 片段1 -> 片段2", [3, 1, 2]],
    ["正确顺序：片段3 → 片段1 → 片段2。", [3, 1, 2]],
    ["片段3、片段1、片段2", [3, 1, 2]],
    ["片段 3，片段 1，片段 2", [3, 1, 2]],
    ["片段３ → 片段１ → 片段２", [3, 1, 2]],
    ["Correct order: 片段3, 片段1, 片段2", [3, 1, 2]],
    ["顺序不是片段1 -> 片段2 -> 片段3，而是片段3 -> 片段1 -> 片段2。", [3, 1, 2]],
    ["1. 片段3\n2. 片段1\n3. 片段2", [3, 1, 2]],
    ["视频片段3 -> 视频片段1 -> 视频片段2", [3, 1, 2]],
    ["给定的顺序是片段1 -> 片段2 -> 片段3。正确的是片段3 -> 片段1 -> 片段2。", [3, 1, 2]],
    // A denial, a supposition, a question, the view of others, or several letters.
    ["顺序不是片段3 -> 片段1 -> 片段2", null],
    ["是片段3 -> 片段1 -> 片段2吗？", null],
    ["无法确定片段3、片段1、片段2的顺序", null],
    ["片段3 -> 片段1 -> 片段2。不对。", null],
    ["如果是片段3 -> 片段1 -> 片段2", null],
    ["片段3 -> 片段1 -> 片段2 或 片段2 -> 片段1 -> 片段3", null],
    ["片段3 -> 片段1 -> 片段1", null],
    ["片段3 -> 片段1 -> 片段2 是错误的", null],
    ["并非片段3 -> 片段1 -> 片段2", null],
  ])("%j", (reply, order) => {
    expect(soundOrder(reply, 3).answer).toEqual(order);
  });

  test("a long reply takes no long time", () => {
    for (const piece of ["片段1、", "片段1。", "片段 ", "而是片段1", "不是片段1 -> "])
      expect(soundOrder(`${piece.repeat(20_000)}x`, 3).answer).toBeNull();
  });
});
