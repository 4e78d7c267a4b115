import { seeded, shuffle } from "../../../../src/core/random.ts";
import type { Option } from "../../../../src/core/shapes.ts";

/* Problems made from a seed, each with an answer that is worked out here and not by the engine. */

export interface PlannedGiven {
  name: string;
  latex: string;
  /** Words of the item that the given is taken from. */
  item: string;
}

/** The plan of a scripted model; `cites` are names of evidence, filled in at the request. */
export interface ScriptedPlan {
  givens: PlannedGiven[];
  facts?: string[];
  steps: (
    | { do: "calculate"; name: string; expression: string }
    | { do: "solve"; equations: string[]; for: string[]; item?: string }
  )[];
  answer: string;
  checks: string[];
}

/** One problem of a kind: the text on the board, the same as speech, and the result. */
export interface Made {
  category: string;
  question: string;
  /** Items as LaTeX on the board, and as words in subtitles: the plan cites either by place. */
  board: string[];
  said: string[];
  /** The right option first, then wrong ones. */
  options: string[];
  plan: (items: readonly string[]) => ScriptedPlan;
}

export interface Problem extends Omit<Made, "options" | "plan"> {
  id: string;
  form: "latex" | "spoken";
  items: string[];
  options: Option[];
  answer: string;
  plan: ScriptedPlan;
}

export type Draw = {
  whole(from: number, to: number): number;
  one<T>(of: readonly T[]): T;
};

export function drawing(...seed: (string | number)[]): Draw {
  const random = seeded(...seed);
  const whole = (from: number, to: number) => from + Math.floor(random() * (to - from + 1));
  return { whole, one: (of) => of[whole(0, of.length - 1)] as never };
}

/** Its options shuffled and lettered; wrong ones that are the right one's equal are left out by their makers. */
export function settle(id: string, form: Problem["form"], made: Made, seed: number): Problem {
  const { options, plan, ...rest } = made;
  const distinct = [...new Set(options)];
  const order = shuffle(distinct, seeded("problem options", id, seed));
  const lettered = order.map((text, place) => ({ letter: "ABCDEFG"[place] ?? "Z", text }));
  const answer = lettered.find(({ text }) => text === options[0])?.letter ?? "";
  const items = form === "latex" ? made.board : made.said;
  return { ...rest, id, form, items, options: lettered, answer, plan: plan(items) };
}

const ONES =
  "zero one two three four five six seven eight nine ten eleven twelve thirteen fourteen fifteen sixteen seventeen eighteen nineteen".split(
    " ",
  );
const TENS = "twenty thirty forty fifty sixty seventy eighty ninety".split(" ");

/** A whole number to 9999 in words, with its sign. */
export function inWords(value: number): string {
  if (value < 0) return `minus ${inWords(-value)}`;
  if (value < 20) return ONES[value] ?? "";
  if (value < 100) {
    const rest = value % 10;
    return `${TENS[Math.floor(value / 10) - 2]}${rest > 0 ? `-${ONES[rest]}` : ""}`;
  }
  const [size, word] = value < 1000 ? [100, "hundred"] : [1000, "thousand"];
  const rest = value % size;
  return `${inWords(Math.floor(value / size))} ${word}${rest > 0 ? ` and ${inWords(rest)}` : ""}`;
}

/** The right value and wrong ones around it. */
export function around(right: number, steps: readonly number[] = [1, -1, 2, 5]): number[] {
  return [right, ...steps.map((step) => right + step)];
}
