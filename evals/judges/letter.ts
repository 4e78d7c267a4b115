import { z } from "zod";
import type { Extraction } from "../benchmarks/benchmark.ts";
import { type Judge, optionLines } from "./judge.ts";
import { bareReply } from "./reading.ts";

/** `letter` null: the judge says that the reply settles on none. */
const NamedLetter = z.strictObject({
  letter: z
    .string()
    .regex(/^[A-Z]$/)
    .nullable(),
});
export type NamedLetter = z.infer<typeof NamedLetter>;

/** VideoMathQA: which option a chain of thought settles on (section 4 of the paper, `cot_postprocess.py`). */
export const letterJudge: Judge<NamedLetter> = {
  kind: "letter",
  benchmark: "videomathqa",
  value: NamedLetter,
  sees: false,
  temperature: 0.7,
  prompts: ["judges/letter"],
  ask: ({ sample, text }, prompts) => [
    prompts.render("judges/letter", { options: optionLines(sample), solution: text }),
  ],
  read(reply, { sample }) {
    const text = bareReply(reply);
    if (text === "") return { problem: "it held no words" };
    if (/^none\.?$/i.test(text)) return { value: { letter: null } };
    const letter = /^\(?([A-Za-z])[).]*$/.exec(text)?.[1]?.toUpperCase();
    const offered = sample.options.map((option) => option.letter);
    if (letter !== undefined && offered.includes(letter)) return { value: { letter } };
    return { problem: `it was neither one of the letters ${offered.join(", ")} alone nor None` };
  },
};

/**
 * The released reading of a judge's reply: trimmed and upper-cased it has to be one of the letters, else the released
 * code draws a wrong letter at random. Here such a reply has no letter, which is as wrong, and is counted.
 */
export function officialNamed(reply: string, options: number): Extraction {
  const letter = new RegExp(`^[A-${options === 2 ? "B" : "E"}]$`).exec(reply.trim().toUpperCase());
  return letter === null
    ? { answer: null, how: "no letter: the released code draws a wrong one" }
    : { answer: letter[0], how: "named by the judge" };
}
