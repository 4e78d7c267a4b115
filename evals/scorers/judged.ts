import { z } from "zod";
import { Rubric } from "../judges/rubric.ts";
import { defineScorer } from "./define-scorer.ts";
import { rightIs } from "./references.ts";

/**
 * A model grades an open answer against its references, from 0 to 1. No answer scores 0 without a call. A grade that cannot
 * be read is no grade: the answer has no score, and is counted apart.
 */
export const judged = defineScorer({
  name: "judged",
  summary: "a model (--judge-model) grades the answer against the reference",
  tasks: ["open"],
  needs: "judge_model",
  isGraded: true,
  settings: {
    judge_model: {
      schema: z.string().regex(/^[^:\s]+:\S/),
      placeholder: "<name>",
      summary: "judged: the model that grades open answers, as provider:model",
      expected: "a provider:model, such as openai:gpt-4.1",
    },
    rubric: {
      schema: Rubric,
      placeholder: "<file>",
      summary: "judged: text file that says how to grade, in place of the built-in rubric",
      expected: "a text file of at most 20 kB that says how to grade",
      show: (value) => {
        const { path, sha256 } = Rubric.parse(value);
        return `${path} (${sha256.slice(0, 8)})`;
      },
    },
  },
  score: (answer, sample) => ({
    value: answer === null ? 0 : null,
    answer,
    explanation: rightIs(sample),
  }),
});
