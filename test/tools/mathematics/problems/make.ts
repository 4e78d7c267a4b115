import { arithmetic, equation, system } from "./algebra.ts";
import { derivative, integral, limit } from "./analysis.ts";
import { combinatorics, matrix, statistics } from "./discrete.ts";
import { geometry, units, word } from "./measured.ts";
import { drawing, type Problem, settle } from "./problem.ts";

const KINDS = [
  ...[arithmetic, equation, system, derivative, integral, limit],
  ...[matrix, combinatorics, statistics, units, geometry, word],
];

/** Problems over all categories in turn, every other round in LaTeX and in spoken form. */
export function makeProblems(count: number, seed: number): Problem[] {
  return Array.from({ length: count }, (_, place) => {
    const kind = KINDS[place % KINDS.length] as (typeof KINDS)[number];
    const round = Math.floor(place / KINDS.length);
    const made = kind(drawing("problem", seed, place));
    const id = `${made.category} ${round + 1}`;
    return settle(id, round % 2 === 0 ? "latex" : "spoken", made, seed);
  });
}
