import { z } from "zod";
import { type Judge, optionLines } from "../judges/judge.ts";
import { bareReply } from "../judges/reading.ts";
import { LETTER_SETTINGS } from "./extractor-settings.ts";

/** `letter` is null if the model names no option; the released code then picks a wrong one. */
export const NamedLetter = z.strictObject({
  letter: z
    .string()
    .regex(/^[A-Z]$/)
    .nullable(),
});
export type NamedLetter = z.infer<typeof NamedLetter>;

/**
 * The judge of the extractor `model-letter`: a model names the option that a reply chooses (VideoMathQA's paper,
 * section 4). As in the released code only its first reply counts, which must be one of the letters after trimming and
 * upper-casing. Reasoning in the text is removed first, because the published model ran without thinking.
 */
export const letterJudge: Judge<NamedLetter> = {
  kind: "letter",
  benchmarks: [],
  value: NamedLetter,
  sees: false,
  temperature: LETTER_SETTINGS.temperature,
  prompts: ["judges/letter"],
  needsWholeReply: true,
  ask: ({ sample, text }, prompts) => [
    prompts.render("judges/letter", { options: optionLines(sample), solution: text }),
  ],
  read(reply, { sample }) {
    const named = bareReply(reply).toUpperCase();
    const letter = sample.options.find((option) => option.letter === named)?.letter ?? null;
    return { value: { letter } };
  },
};
