import { defineScorer } from "./define-scorer.ts";
import { normaliseText } from "./normalise-text.ts";
import { references, rightIs } from "./references.ts";

/**
 * Right if the answer contains a reference as whole words, both normalised as by `exact`: `a red car` contains `red`, but
 * `reduced` does not. A text in a script without spaces between words may contain it anywhere. An answer that contains a
 * reference in a negation is right as well.
 */
export const includes = defineScorer({
  name: "includes",
  summary: "contains a reference as whole words, with texts normalised as by exact",
  tasks: ["open"],
  score(answer, sample) {
    const said = typeof answer === "string" ? normaliseText(answer) : "";
    const found = references(sample).find((right) => contains(said, normaliseText(right)));
    const how = found === undefined ? "" : `, contains ${found}`;
    return {
      value: found === undefined ? 0 : 1,
      answer,
      explanation: `${rightIs(sample)}${how}`,
    };
  },
});

/** Scripts that put no spaces between words. */
const UNSPACED =
  /[\p{Script=Han}\p{Script=Hiragana}\p{Script=Katakana}\p{Script=Thai}\p{Script=Lao}\p{Script=Khmer}\p{Script=Myanmar}]/u;

function contains(text: string, part: string): boolean {
  if (part === "") return false;
  if (UNSPACED.test(part)) return text.includes(part);
  for (let at = text.indexOf(part); at !== -1; at = text.indexOf(part, at + 1))
    if (!joins(text.slice(0, at), part) && !joins(part, text.slice(at + part.length))) return true;
  return false;
}

/** Whether a word or number goes on from the end of one text into the next: `3` into `.5`. */
function joins(before: string, after: string): boolean {
  return /[\p{L}\p{N}]$/u.test(before)
    ? /^[\p{L}\p{M}\p{N}]/u.test(after) || (/\d$/.test(before) && /^[.,]\d/.test(after))
    : /\d[.,]$/.test(before) && /^\d/.test(after);
}
