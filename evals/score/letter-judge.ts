import { z } from "zod";
import { type Judge, optionLines } from "../judges/judge.ts";
import { bareReply } from "../judges/reading.ts";
import { LETTER_SETTINGS } from "./extractor-settings.ts";

/** `letter` null: the model names no option, for which the released code draws a wrong one. */
export const NamedLetter = z.strictObject({
  letter: z
    .string()
    .regex(/^[A-Z]$/)
    .nullable(),
});
export type NamedLetter = z.infer<typeof NamedLetter>;

/**
 * Which option a reply chooses, named by a model: the judge of the extractor `model-letter` (VideoMathQA's paper,
 * section 4). The released rule reads its first reply: trimmed and upper-cased it has to be one of the letters. Reasoning
 * that a server leaves in the text is removed first, as the published model did not think.
 */
export const letterJudge: Judge<NamedLetter> = {
  kind: "letter",
  benchmarks: [],
  value: NamedLetter,
  sees: false,
  temperature: LETTER_SETTINGS.temperature,
  prompts: ["judges/letter"],
  ask: ({ sample, text }, prompts) => [
    prompts.render("judges/letter", { options: optionLines(sample), solution: text }),
  ],
  read(reply, { sample }) {
    const named = bareReply(reply).toUpperCase();
    const letter = sample.options.find((option) => option.letter === named)?.letter ?? null;
    return { value: { letter } };
  },
};
