import { z } from "zod";
import { type Judge, optionLines, rightOption, stepLines } from "../judge.ts";
import { readObject, wholeNumber, words } from "../reading.ts";
import { leavesOutWithoutSteps, refusesPairs } from "../solution-steps.ts";

/** A grade of a solution against the annotated steps. */
export const ScoreCard = z.strictObject({
  matched: z.int().min(0),
  /** Annotated steps. */
  of: z.int().min(1),
  final_answer_correct: z.union([z.literal(0), z.literal(1)]),
  critique: z.string(),
  /** 0 to 10. */
  score: z.int().min(0).max(10),
});
export type ScoreCard = z.infer<typeof ScoreCard>;

const LABEL = "SCORE_CARD:";

/** VideoMathQA: how far a chain of thought follows the annotated steps (appendix C, `cot_step_evaluation.py`). */
export const stepJudge: Judge<ScoreCard> = {
  kind: "steps",
  benchmarks: ["videomathqa"],
  value: ScoreCard,
  sees: false,
  temperature: 0.6,
  prompts: ["judges/steps"],
  ask: ({ sample, text }, prompts) => [
    prompts.render("judges/steps", {
      question: sample.question,
      options: optionLines(sample),
      answer: rightOption(sample),
      steps: stepLines(sample),
      solution: text,
    }),
  ],
  leavesOut: ({ sample }) => leavesOutWithoutSteps(sample),
  refuses: refusesPairs,
  critiqueOf: ({ critique }) => critique,
  read: (reply, { sample }) => readObject(reply, cardOf(sample.steps?.length ?? 0), LABEL),
};

function cardOf(steps: number): z.ZodType<ScoreCard> {
  const matched = `has to be written like "3/${steps}", the steps matched of the ${steps} there are`;
  return z
    .strictObject({
      critique: words(),
      matched_steps: z
        .string({ error: matched })
        .regex(/^\s*\d{1,3}\s*\/\s*\d{1,3}\s*$/, { error: matched })
        .transform((text) => text.split("/").map(Number) as [number, number])
        .refine(([some, all]) => all === steps && some <= all, { error: matched }),
      final_answer_correct: z.union([z.literal(0), z.literal(1)], { error: "has to be 0 or 1" }),
      score: wholeNumber(0, 10),
    })
    .transform(({ matched_steps: [some, all], ...card }) => ({ matched: some, of: all, ...card }));
}

/** Whether a grade breaks its own rule: the answer is called wrong, and the score is more than its steps are worth. */
export function contradictsItself({ matched, of, final_answer_correct, score }: ScoreCard) {
  return final_answer_correct === 0 && score > Math.round((10 * matched) / of);
}
