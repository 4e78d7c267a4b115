import { z } from "zod";
import { isNear, quantityKey } from "./compare-quantities.ts";
import { defineScorer } from "./define-scorer.ts";
import { normaliseText } from "./normalise-text.ts";
import type { Quantity } from "./number-pattern.ts";
import { readQuantity } from "./read-quantity.ts";
import { references, rightIs } from "./references.ts";

/** `0.01` is absolute, `1%` relative to the reference. */
const Tolerance = z
  .union([z.number().nonnegative(), z.string().regex(/^\d*\.?\d+\s*%?$/)])
  .transform((given): number | string => {
    if (typeof given === "number") return given;
    return given.endsWith("%") ? given.replace(/\s/g, "") : Number(given);
  });

/**
 * Right if the number in the answer (`readQuantity`) equals that of a reference within `tolerance`: `0.01` absolute, `1%`
 * relative to the reference; default: equal. A percentage equals its number and its share: `50%` matches `50` and `0.5`.
 * Units of length, mass, time and volume, their powers and quotients such as `cm²` and `km/h`, are converted if both sides
 * have one; other units are not compared. The seconds of a clock such as `1:30` are a time; any other ratio such as `2:3`
 * equals only a ratio. An answer without a number that can be read is wrong; a reference without one, or that is a date, a
 * range or a score (`2024-01-05`, `10 to 12`, `3-2`), matches nothing, which the explanation tells.
 */
export const number = defineScorer({
  name: "number",
  summary: "the number in the answer equals the reference within --tolerance (of several the last)",
  tasks: ["open"],
  settings: {
    tolerance: {
      schema: Tolerance,
      placeholder: "<number>",
      summary: "number: largest difference, absolute (0.01) or relative to the reference (1%)",
      expected: "a number from 0 such as 0.01, or a percentage such as 1%",
    },
  },
  score(answer, sample, { tolerance }) {
    const given = references(sample);
    const [said = null, ...readable] = readAll([
      typeof answer === "string" ? answer : "",
      ...given,
    ]);
    const wanted = readable.map((one, place) =>
      one?.ratio === null && namesSeveral(given[place] ?? "") ? null : one,
    );
    const isSame = (text: string) =>
      namesSeveral(text) && normaliseText(text) === normaliseText(String(answer ?? ""));
    const right =
      given.some(isSame) ||
      wanted.some((one) => said !== null && one !== null && isNear(said, one, tolerance));
    const read =
      said === null ? "no number could be read in the answer" : `read as ${textOf(said)}`;
    const why = given.some(namesSeveral)
      ? ", which is a date or a range and not one number"
      : ", in which no number could be read";
    const unread = wanted.every((one) => one === null) ? why : "";
    return { value: right ? 1 : 0, answer, explanation: `${read}, ${rightIs(sample)}${unread}` };
  },
  key(answer) {
    const quantity = readQuantity(answer);
    return quantity === null ? normaliseText(answer) : quantityKey(quantity);
  },
});

const MONTH =
  "(?:jan|feb|mar|apr|may|jun|jul|aug|sep|oct|nov|dec)(?:uary|ruary|ch|il|e|y|ust|t|tember|ober|ember)?";
const SEVERAL = new RegExp(
  [
    "^\\D*\\d+(?:[.,]\\d+)? ?(?:[-–—]|to|bis|à|a) ?\\d+(?:[.,]\\d+)?\\D*$",
    "\\b\\d{1,4}([-/.])\\d{1,2}\\1\\d{1,4}\\b",
    `\\b\\d{1,2}(?:st|nd|rd|th)?\\.? (?:of )?${MONTH}\\b`,
    `\\b${MONTH}\\.? \\d{1,2}(?:st|nd|rd|th)?\\b`,
  ].join("|"),
  "i",
);

/** Whether a text is a date, a range or a score, of which the last number alone would be another answer. */
function namesSeveral(text: string): boolean {
  return SEVERAL.test(text);
}

/** If one of the texts has a ratio such as `2:3`, `2 to 3` in another is also a ratio. */
function readAll(texts: readonly string[]): (Quantity | null)[] {
  const read = texts.map(readQuantity);
  if (read.every((one) => one === null || one.ratio === null)) return read;
  return read.map((one, place) => {
    const text = texts[place] ?? "";
    return one?.ratio === null ? readQuantity(text.replace(/(?<=\d) to (?=\d)/g, ":")) : one;
  });
}

function textOf({ value, unit, ratio }: Quantity): string {
  return ratio === null || unit !== null ? String(value) : ratio.join(":");
}
