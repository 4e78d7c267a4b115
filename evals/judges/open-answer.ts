import { z } from "zod";
import { finalPart } from "../../graphs/replies/visible-reply.ts";
import type { Rendered } from "../../prompts/load-prompts.ts";
import { references } from "../scorers/references.ts";
import type { Judge } from "./judge.ts";
import { readObject, words } from "./reading.ts";

/** A grade with its reason. */
export const Grade = z.strictObject({ reason: z.string(), grade: z.number().min(0).max(1) });
export type Grade = z.infer<typeof Grade>;

const error = "has to be a number from 0 to 1";
const Reply = z.strictObject({
  reason: words(),
  grade: z.number({ error }).min(0, { error }).max(1, { error }),
});

const KIND = "grade";

const RIGHT = "right";
const PARTLY = "partly right";
const WRONG = "wrong";

/** Words that people use for a grade. */
const LABELS: Record<string, string> = {
  ...{ right: RIGHT, correct: RIGHT, true: RIGHT, yes: RIGHT },
  ...{ wrong: WRONG, incorrect: WRONG, false: WRONG, no: WRONG },
  ...{ "partly right": PARTLY, partly: PARTLY, partial: PARTLY, "partially correct": PARTLY },
};

/** What is graded of a reply: what it says outside reasoning. */
export function gradedText(reply: string): string {
  return finalPart(reply);
}

/**
 * Grades open answers against their references, from 0 to 1. `rubric`: how, in place of the built-in rubric; its hash keeps
 * the grades of different rubrics apart.
 */
export function gradeJudge(rubric: Rendered | null): Judge<Grade> {
  return {
    kind: KIND,
    benchmarks: "any",
    value: Grade,
    sees: false,
    temperature: 0,
    prompts: ["judges/grade", rubric ?? "judges/grade-rubric"],
    textOf: gradedText,
    leavesOut: ({ sample, score }) => {
      if (sample.task !== "open") return "questions that are not open";
      return score.answer === null ? "replies without an answer" : null;
    },
    refuses: (samples) =>
      samples.some(({ task }) => task === "open")
        ? null
        : "it grades open answers, and the data have no open questions.",
    ask: ({ sample, text }, prompts) => [
      prompts.render("judges/grade", {
        rubric: (rubric ?? prompts.render("judges/grade-rubric", {})).text.trim(),
        asked: sample.question,
        reference: references(sample).join("\n"),
        reply: text,
      }),
    ],
    read: (reply) => readObject(reply, Reply),
    people: {
      types: [RIGHT, PARTLY, WRONG],
      member: "human_grade",
      labelOf: ({ human_grade }) =>
        human_grade == null || human_grade === "" ? null : String(human_grade),
      typeOf: typeOfLabel,
      named: ({ grade }) => typeOfNumber(grade),
    },
  };
}

/** The type of a label: a number from 0 to 1, or one of `LABELS`; null for anything else. */
function typeOfLabel(label: string): string | null {
  const text = label.trim().toLowerCase();
  const known = Object.hasOwn(LABELS, text) ? LABELS[text] : undefined;
  if (known !== undefined) return known;
  const value = text === "" ? Number.NaN : Number(text);
  return value >= 0 && value <= 1 ? typeOfNumber(value) : null;
}

function typeOfNumber(grade: number): string {
  return grade === 1 ? RIGHT : grade === 0 ? WRONG : PARTLY;
}
