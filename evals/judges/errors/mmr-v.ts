import { z } from "zod";
import { type Judge, optionLines, rightOption } from "../judge.ts";
import { oneOf, readObject, words } from "../reading.ts";

/** MMR-V's error types, as figure 5 of the paper spells them. */
export const MMR_ERRORS = [
  "Lack of Visual Reasoning",
  "Implicit Misinterpretation",
  "Knowledge Insufficiency",
  "Reasoning Error",
  "Hallucination",
  "Output Formatting Issue",
] as const;
export type MmrErrorType = (typeof MMR_ERRORS)[number];

const MmrError = z.strictObject({ reason: z.string(), error_type: z.enum(MMR_ERRORS) });
export type MmrError = z.infer<typeof MmrError>;

const Reply = z.strictObject({ reason: words(), error_type: oneOf(MMR_ERRORS) });

const PeopleRow = z.looseObject({
  error_info: z.looseObject({ human_annotation_error_type: z.string() }),
});

/** MMR-V: the main cause of a wrong answer, which in the paper people named (section 4.5). */
export const mmrErrorJudge: Judge<MmrError> = {
  kind: "errors",
  benchmarks: ["mmr-v"],
  value: MmrError,
  sees: true,
  temperature: 0,
  prompts: ["judges/mmr-errors"],
  leavesOut: ({ score, isNamed }) =>
    !isNamed && score.value !== 0 ? `right answers (by the extractor ${score.extractor})` : null,
  ask: ({ sample, text }, prompts) => [
    prompts.render("judges/mmr-errors", {
      question: sample.question,
      options: optionLines(sample),
      answer: rightOption(sample),
      solution: text,
    }),
  ],
  read: (reply) => readObject(reply, Reply),
  people: {
    types: MMR_ERRORS,
    member: "error_info.human_annotation_error_type",
    labelOf(row) {
      const read = PeopleRow.safeParse(row);
      return read.success ? read.data.error_info.human_annotation_error_type : null;
    },
    typeOf: mmrErrorNamed,
    named: ({ error_type }) => error_type,
  },
};

/** The type that a person's label names, whatever its capitals; null for none of the six. */
function mmrErrorNamed(label: string): MmrErrorType | null {
  const wanted = label.trim().toLowerCase();
  return MMR_ERRORS.find((type) => type.toLowerCase() === wanted) ?? null;
}
