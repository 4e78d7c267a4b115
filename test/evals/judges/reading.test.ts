import fc from "fast-check";
import { expect, test } from "vitest";
import type { Sample } from "../../../evals/benchmarks/sample.ts";
import { cotJudge, pieces } from "../../../evals/judges/cot/cot.ts";
import { mmrErrorJudge } from "../../../evals/judges/errors/mmr-v.ts";
import { mathErrorJudge } from "../../../evals/judges/errors/videomathqa.ts";
import type { Judge, Subject } from "../../../evals/judges/judge.ts";
import { officialScore } from "../../../evals/judges/steps/official-score.ts";
import { contradictsItself, stepJudge } from "../../../evals/judges/steps/score-card.ts";
import { letterJudge } from "../../../evals/score/letter-judge.ts";

const sample: Sample = {
  id: "q1",
  video: "videos/v1.mp4",
  hasVideo: false,
  question: "How long is the side?",
  task: "choice",
  options: ["A", "B", "C", "D", "E"].map((letter, index) => ({ letter, text: String(index) })),
  answer: "C",
  steps: ["read the sides", "square", "add", "take the root"],
  row: {},
};
const subject: Subject = { sample, epoch: 1, text: "The side is 5." };
const card = { critique: "Fine.", matched_steps: "3/4", final_answer_correct: 1, score: 8 };
const scored = (more: object) => `SCORE_CARD: ${JSON.stringify({ ...card, ...more })}`;

const problems: [string, Judge<unknown>, string, string][] = [
  ["nothing", stepJudge, "", "it held no words"],
  ["thoughts alone", stepJudge, `<think>${scored({})}</think>`, "it held no words"],
  ["thoughts that never end", stepJudge, `<think>${scored({})}`, "it held no words"],
  ["prose", stepJudge, "I would give it 8 of 10.", "it was not one JSON object alone"],
  ["prose around it", stepJudge, `Sure! ${scored({})}`, "it was not one JSON object alone"],
  ["two cards", stepJudge, `${scored({})}\n${scored({})}`, "it was not one JSON object alone"],
  ["a card cut short", stepJudge, scored({}).slice(0, -9), "it was not one JSON object alone"],
  ["a list", stepJudge, JSON.stringify([card]), "it was not one JSON object alone"],
  ["a number", stepJudge, "8", "it was not one JSON object alone"],
  [
    "a score above",
    stepJudge,
    scored({ score: 11 }),
    "`score` has to be a whole number from 0 to 10",
  ],
  [
    "a score below",
    stepJudge,
    scored({ score: -1 }),
    "`score` has to be a whole number from 0 to 10",
  ],
  [
    "half a point",
    stepJudge,
    scored({ score: 7.5 }),
    "`score` has to be a whole number from 0 to 10",
  ],
  [
    "a text for a number",
    stepJudge,
    scored({ score: "8" }),
    "`score` has to be a whole number from 0 to 10",
  ],
  [
    "no score",
    stepJudge,
    scored({ score: undefined }),
    "`score` has to be a whole number from 0 to 10",
  ],
  [
    "true for 1",
    stepJudge,
    scored({ final_answer_correct: true }),
    "`final_answer_correct` has to be 0 or 1",
  ],
  [
    "no critique",
    stepJudge,
    scored({ critique: " " }),
    "`critique` has to be a text that says something",
  ],
  [
    "other steps",
    stepJudge,
    scored({ matched_steps: "3/5" }),
    '`matched_steps` has to be written like "3/4", the steps matched of the 4 there are',
  ],
  [
    "more than all",
    stepJudge,
    scored({ matched_steps: "5/4" }),
    '`matched_steps` has to be written like "3/4", the steps matched of the 4 there are',
  ],
  [
    "members of its own",
    stepJudge,
    scored({ SCORE_CARD: 10 }),
    "it had members that were not asked for",
  ],
  [
    "an unknown type",
    mathErrorJudge,
    "TYPE2, TYPE8",
    "it held something beside the labels TYPE1, TYPE2, TYPE3, TYPE4, TYPE5, TYPE6, TYPE7, none, uncategorized",
  ],
  ["none and a type", mathErrorJudge, "none, TYPE1", "none and uncategorized each stand alone"],
  [
    "prose",
    mathErrorJudge,
    "It makes TYPE1.",
    "it held something beside the labels TYPE1, TYPE2, TYPE3, TYPE4, TYPE5, TYPE6, TYPE7, none, uncategorized",
  ],
  [
    "an unknown type",
    mmrErrorJudge,
    '{"reason":"x","error_type":"Laziness"}',
    "`error_type` has to be one of Lack of Visual Reasoning, Implicit Misinterpretation, Knowledge Insufficiency, Reasoning Error, Hallucination, Output Formatting Issue",
  ],
  [
    "no reason",
    mmrErrorJudge,
    '{"error_type":"Hallucination"}',
    "`reason` has to be a text that says something",
  ],
  [
    "a text for true",
    cotJudge,
    '{"question_frame_desc":"true","other_frame_desc":false,"video_analysis":false,"text_analysis":true}',
    "`question_frame_desc` has to be true or false",
  ],
  [
    "a label left out",
    cotJudge,
    '{"question_frame_desc":true,"other_frame_desc":false,"video_analysis":false}',
    "`text_analysis` has to be true or false",
  ],
];

test.each(problems)(
  "%s is not a judgement, with our own explanation",
  (_what, judge, reply, problem) => {
    expect(judge.read(reply, subject)).toEqual({ problem });
  },
);

const card8 = { critique: "Fine.", matched: 3, of: 4, final_answer_correct: 1, score: 8 };

test.each<[string, Judge<unknown>, string, unknown]>([
  ["a card", stepJudge, scored({}), card8],
  ["without its label", stepJudge, JSON.stringify(card), card8],
  ["in a fence", stepJudge, `\`\`\`json\n${JSON.stringify(card, null, 2)}\n\`\`\``, card8],
  [
    "in a fence behind its label",
    stepJudge,
    `SCORE_CARD:\n\`\`\`\n${JSON.stringify(card)}\n\`\`\``,
    card8,
  ],
  [
    "after thoughts with another card",
    stepJudge,
    `<think>${scored({ score: 10 })}</think>\n${scored({})}`,
    card8,
  ],
  ["types", mathErrorJudge, "type4, TYPE2,TYPE2", { types: ["TYPE2", "TYPE4"] }],
  ["no error", mathErrorJudge, "none", { types: ["none"] }],
  [
    "a cause",
    mmrErrorJudge,
    '{"reason":"It guesses.","error_type":"Reasoning Error"}',
    { reason: "It guesses.", error_type: "Reasoning Error" },
  ],
])("%s is read", (_what, judge, reply, value) => {
  expect(judge.read(reply, subject)).toEqual({ value });
});

test("no text makes the reader throw, and results can be stored and read back", () => {
  const word = fc.constantFrom(
    ...[
      "SCORE_CARD:",
      "{",
      "}",
      '"score":',
      "10",
      ",",
      "`",
      "```json\n",
      "<think>",
      "</think>",
      "TYPE1",
      "A",
      "none",
    ],
    ...[JSON.stringify(card), '"', "\\", "\n", "\u0000", "😀"],
  );
  fc.assert(
    fc.property(fc.array(word, { maxLength: 12 }), (words) => {
      for (const judge of [
        stepJudge,
        letterJudge,
        mathErrorJudge,
        mmrErrorJudge,
        cotJudge,
      ] as Judge<unknown>[]) {
        const read = judge.read(words.join(""), subject);
        if ("problem" in read) expect(read.problem).not.toContain("😀");
        else expect(judge.value.parse(JSON.parse(JSON.stringify(read.value)))).toEqual(read.value);
      }
    }),
  );
});

test("a grade above the value of its steps is a contradiction unless the answer is right", () => {
  const grade = (matched: number, right: 0 | 1, score: number) =>
    contradictsItself({ critique: "", matched, of: 4, final_answer_correct: right, score });
  expect([grade(1, 0, 10), grade(1, 0, 3), grade(1, 1, 10), grade(3, 0, 8)]).toEqual([
    ...[true, false, false, false],
  ]);
});

/** Values of CPython running the released lines. */
test.each([
  ["a card", scored({}), 8],
  ["the last of two cards", `${scored({ score: 1 })}\n${scored({ score: 9 })}`, 9],
  ["thoughts before it", `<think>so</think> ${scored({})}`, 8],
  ["a score beyond all bounds", scored({ score: 100 }), 100],
  ["a number as text", scored({ score: "8" }), 8],
  ["a fraction as text", scored({ score: "8.5" }), null],
  ["a fraction", scored({ score: 7.9 }), 7],
  ["no score", scored({ score: undefined }), 0],
  ["a critique that is no text", scored({ critique: 3 }), null],
  [
    "single quotes",
    "SCORE_CARD: {'matched_steps': '3/4', 'critique': 'It\\'s fine', 'score': 8}",
    8,
  ],
  ["Python's names", "SCORE_CARD: {'final_answer_correct': True, 'critique': 'x', 'score': 6,}", 6],
  [
    "JSON's names in a Python dictionary",
    "SCORE_CARD: {'final_answer_correct': true, 'score': 6}",
    null,
  ],
  ["a number that Python does not know", "SCORE_CARD: {'score': 08}", null],
  ["a sign and no decimals", "SCORE_CARD: {'score': +6.}", 6],
  ["a sentence after it", `${scored({})} That is all.`, null],
  ["a fence", `SCORE_CARD: \`\`\`json\n${JSON.stringify(card)}\n\`\`\``, null],
  ["a list", "SCORE_CARD: [8]", null],
  ["nothing", "", null],
])("the released reading of %s", (_what, reply, score) => {
  expect(officialScore(reply)).toBe(score);
});

test.each([
  ["B", 5, "B"],
  [" c\n", 5, "C"],
  ["(B)", 5, null],
  ["None", 5, null],
  ["The answer is B.", 5, null],
  ["", 5, null],
  ["C", 2, null],
  ["<think>A?</think>\nB", 5, "B"],
])("the released reading of the letter %j of %i", (reply, options, letter) => {
  const asked = { ...subject, sample: { ...sample, options: sample.options.slice(0, options) } };
  expect(letterJudge.read(reply, asked)).toEqual({ value: { letter } });
});

test("ten pieces form the text and differ by at most one character", () => {
  fc.assert(
    fc.property(fc.string({ unit: "grapheme", minLength: 0, maxLength: 300 }), (text) => {
      const cut = pieces(text, 10);
      if ([...text].length < 10) {
        expect(cut).toEqual([]);
        return;
      }
      expect(cut.join("")).toBe(text);
      const lengths = cut.map((piece) => [...piece].length);
      expect(Math.max(...lengths) - Math.min(...lengths)).toBeLessThanOrEqual(1);
      expect(Math.min(...lengths)).toBeGreaterThan(0);
    }),
  );
});
