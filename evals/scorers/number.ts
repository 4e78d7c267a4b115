import { z } from "zod";
import { defineScorer } from "./define-scorer.ts";
import { type Quantity, readQuantity } from "./read-quantity.ts";
import { references, rightIs } from "./references.ts";

/** `0.01` is absolute, `1%` relative to the reference. */
const Tolerance = z
  .union([z.number().nonnegative(), z.string().regex(/^\d*\.?\d+\s*%?$/)])
  .transform((given): number | string => {
    if (typeof given === "number") return given;
    return given.endsWith("%") ? given.replace(/\s/g, "") : Number(given);
  });

/** Largest relative difference of equal numbers, for the last bits of a division. */
const EQUAL = 1e-9;

/**
 * Right if the number in the answer (`readQuantity`) equals that of a reference within `tolerance`: `0.01` absolute, `1%`
 * relative to the reference; default: equal. A percentage equals its number and its share: `50%` matches `50` and `0.5`.
 * Units of length, mass, time and volume, their powers and quotients such as `cm²` and `km/h`, are converted if both sides
 * have one; other units are not compared. An answer without a number that can be read is wrong; a reference without one
 * matches nothing, which the explanation tells.
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
    const said = typeof answer === "string" ? readQuantity(answer) : null;
    const wanted = references(sample).map(readQuantity);
    const right = wanted.some(
      (one) => said !== null && one !== null && isNear(said, one, tolerance),
    );
    const read = said === null ? "no number could be read in the answer" : `read as ${said.value}`;
    const unread = wanted.every((one) => one === null) ? ", in which no number could be read" : "";
    return { value: right ? 1 : 0, answer, explanation: `${read}, ${rightIs(sample)}${unread}` };
  },
  key: (answer) => String(readQuantity(answer)?.value ?? answer),
});

function isNear(said: Quantity, wanted: Quantity, tolerance: unknown): boolean {
  return pairs(said, wanted).some(([a, b]) => {
    const difference = Math.abs(a - b);
    // The tolerance itself is included, whatever the last bits of the difference.
    const most = allowed(b, tolerance) * (1 + EQUAL);
    return difference <= Math.max(most, EQUAL * Math.abs(b));
  });
}

function allowed(reference: number, tolerance: unknown): number {
  if (typeof tolerance !== "string") return typeof tolerance === "number" ? tolerance : 0;
  return (Number.parseFloat(tolerance) / 100) * Math.abs(reference);
}

/** The values to compare: in one unit, and of a percentage against a plain number both of its readings. */
function pairs(said: Quantity, wanted: Quantity): [number, number][] {
  if (said.unit !== null && wanted.unit !== null) {
    if (said.unit.dimension !== wanted.unit.dimension) return [];
    return [[(said.value * said.unit.factor) / wanted.unit.factor, wanted.value]];
  }
  const same: [number, number] = [said.value, wanted.value];
  if (said.percent === wanted.percent) return [same];
  return [same, said.percent ? [said.value / 100, wanted.value] : [said.value, wanted.value / 100]];
}
