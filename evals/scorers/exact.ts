import { defineScorer } from "./define-scorer.ts";
import { normaliseText } from "./normalise-text.ts";
import { references, rightIs } from "./references.ts";

/**
 * Right if the answer equals a reference after `normaliseText`: Unicode NFKC, case, white space, and punctuation at both
 * ends do not count.
 */
export const exact = defineScorer({
  name: "exact",
  summary: "equal to a reference, apart from case, white space and punctuation at both ends",
  tasks: ["open"],
  score(answer, sample) {
    const said = typeof answer === "string" ? normaliseText(answer) : null;
    const equal = references(sample).some((right) => normaliseText(right) === said);
    return { value: equal ? 1 : 0, answer, explanation: rightIs(sample) };
  },
});
