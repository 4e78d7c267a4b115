/*
 * What the engine's thread is asked and what it answers: plain data, expressions as LaTeX or MathJSON.
 */

/** What a result is, as the engine gives it. */
export interface Value {
  /** LaTeX, exact where the engine has an exact form. */
  exact: string;
  /** MathJSON of the same: what a later expression is given in place of a name. */
  json: unknown;
  /** Where the result is one real number, of a quantity its number in `unit`. */
  value: number | null;
  /** LaTeX of the unit of a quantity. */
  unit: string | null;
}

/** How a result was held against something else than itself. */
export type Check = "numeric sampling" | "evaluated twice" | "substitution";

export interface Worked extends Value {
  check: Check | null;
}

/** Values that names stand for in one task, as MathJSON. */
export type Bindings = Readonly<Record<string, unknown>>;

export interface SolvedEquations {
  solutions: Record<string, Value>[];
  method: "exact" | "numeric search";
  /** False where there may be further solutions. */
  complete: boolean;
}

/** How near an option comes to a value. */
export interface Likeness {
  /** `exact`: the same by algebra; `numeric`: the same at every point that was tried; null: another value. */
  same: "exact" | "numeric" | null;
  /** Both as numbers where both are one. */
  difference: number | null;
  /** The candidate as a number. */
  value: number | null;
}

export type Task =
  | { do: "calculate"; latex: string; bindings: Bindings }
  | { do: "solve"; equations: readonly string[]; unknowns: readonly string[]; bindings: Bindings }
  | { do: "holds"; relation: string; bindings: Bindings }
  | { do: "compare"; json: unknown; candidates: readonly string[] };

export interface Replies {
  calculate: Worked;
  solve: SolvedEquations;
  /** `vacuous`: true whatever the names stand for. */
  holds: { holds: boolean; vacuous: boolean };
  compare: (Likeness | null)[];
}

export type Reply<T extends Task> = Replies[T["do"]];

/** The names of LaTeX's letters that may be unknown or given: one letter, Greek or Latin, with an index or without. */
export const NAME = /^(?:[A-Za-z]|\\[a-zA-Z]+)(?:_(?:[A-Za-z0-9]|\{[A-Za-z0-9]{1,8}\}))?$/;

/** Letters that are numbers or functions to the engine; in their place it is given another. */
const TAKEN: Readonly<Record<string, string>> = {
  e: "e_{u}",
  i: "i_{u}",
  d: "d_{u}",
  N: "N_{u}",
  D: "D_{u}",
  C: "C_{u}",
  E: "E_{u}",
  I: "I_{u}",
};

/** `e` and `i` as unknowns: renamed for the engine wherever they stand alone. */
export function renameTaken(latex: string, names: readonly string[]): string {
  return names.reduce((text, name) => {
    const put = TAKEN[name];
    return put === undefined
      ? text
      : text.replace(
          new RegExp(`(?<![A-Za-z\\\\])(?<!\\\\[a-zA-Z]+)${name}(?![A-Za-z_])`, "g"),
          put,
        );
  }, latex);
}

/** The symbol of MathJSON that a name in LaTeX is: `r_{12}` is `r_12`, `\alpha` is `alpha`. */
export function symbolOf(name: string): string {
  const given = TAKEN[name] ?? name;
  return given.replace(/^\\/, "").replace(/_\{([^}]*)\}/, "_$1");
}
