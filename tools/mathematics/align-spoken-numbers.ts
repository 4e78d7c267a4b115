import { isSpoken } from "../../src/core/evidence.ts";
import type { Evidence } from "../../src/core/shapes.ts";
import { numbersSaid, type SpokenNumber } from "./number-words.ts";

/** A cue with numbers, and what was on screen at that time. */
export interface SpokenNumbers {
  spoken: Evidence;
  numbers: SpokenNumber[];
  drawn: Evidence[];
}

/** Seconds by which a cue may precede or follow what it refers to. */
const LEEWAY_S = 1;

/** Joins numbers that are said to the text, equations, charts and captions that were visible at that time. */
export function joinSpoken(evidence: readonly Evidence[]): SpokenNumbers[] {
  const shown = evidence.filter(
    ({ kind, text }) =>
      (kind === "equation" || kind === "text" || kind === "caption") && text !== "",
  );
  return evidence.flatMap((spoken): SpokenNumbers[] => {
    if (!isSpoken(spoken)) return [];
    const numbers = numbersSaid(spoken.text).filter(
      ({ words }) => words !== "one" && words !== "first",
    );
    if (numbers.length === 0) return [];
    const drawn = shown.filter(
      ({ start_s, end_s }) =>
        start_s <= spoken.end_s + LEEWAY_S && end_s >= spoken.start_s - LEEWAY_S,
    );
    return drawn.length > 0 ? [{ spoken, numbers, drawn }] : [];
  });
}

/** Whether words contain a number or pose a task. */
export function asksSomething(text: string): boolean {
  return (
    /\?|\b(?:find|calculate|compute|solve|what is|how (?:many|much|long|far)|work out|determine|prove|given|equals?)\b/i.test(
      text,
    ) || numbersSaid(text).length > 0
  );
}
