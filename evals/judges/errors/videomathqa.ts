import { z } from "zod";
import { type Judge, optionLines, rightOption, stepLines } from "../judge.ts";
import { bareReply } from "../reading.ts";
import { leavesOutWithoutSteps, refusesPairs } from "../solution-steps.ts";

/** Labels of VideoMathQA's error types (appendix C) and their meaning. */
export const MATH_ERRORS = {
  TYPE1: "question misunderstood",
  TYPE2: "information not found",
  TYPE3: "picture misread",
  TYPE4: "concept misapplied",
  TYPE5: "wrong approach",
  TYPE6: "forgotten or contradicted",
  TYPE7: "miscalculated",
  none: "no error",
  uncategorized: "an error of no type",
} as const;
export type MathError = keyof typeof MATH_ERRORS;
const LABELS = Object.keys(MATH_ERRORS) as [MathError, ...MathError[]];

const MathErrors = z.strictObject({ types: z.array(z.enum(LABELS)).min(1) });
export type MathErrors = z.infer<typeof MathErrors>;

/** VideoMathQA: all error types that apply to a chain of thought, with the step judge's critique at hand. */
export const mathErrorJudge: Judge<MathErrors> = {
  kind: "errors",
  benchmarks: ["videomathqa"],
  value: MathErrors,
  sees: false,
  temperature: 0.6,
  prompts: ["judges/math-errors"],
  leavesOut: ({ sample }) => leavesOutWithoutSteps(sample),
  refuses: refusesPairs,
  after: "steps",
  ask: ({ sample, text, critique = "" }, prompts) => [
    prompts.render("judges/math-errors", {
      question: sample.question,
      options: optionLines(sample),
      answer: rightOption(sample),
      steps: stepLines(sample),
      solution: text,
      critique,
    }),
  ],
  read(reply) {
    const text = bareReply(reply);
    if (text === "") return { problem: "it held no words" };
    const given = text.split(",").map((label) => label.trim().toLowerCase());
    const types = LABELS.filter((label) => given.includes(label.toLowerCase()));
    if (types.length < new Set(given).size)
      return { problem: `it held something beside the labels ${LABELS.join(", ")}` };
    if (types.length > 1 && (types.includes("none") || types.includes("uncategorized")))
      return { problem: "none and uncategorized each stand alone" };
    return { value: { types } };
  },
};
