/*
 * Requests to the engine's thread and its replies: plain data, with expressions as LaTeX or MathJSON.
 */

/** A result as the engine returns it. */
export interface Value {
  /** LaTeX, exact if the engine has an exact form. */
  exact: string;
  /** MathJSON of the same value, which replaces a name in a later expression. */
  json: unknown;
  /** The result if it is one real number; for a quantity, the number in `unit`. */
  value: number | null;
  /** LaTeX of the unit of a quantity. */
  unit: string | null;
}

/** How a result was verified independently. */
export type Check = "numeric sampling" | "evaluated twice" | "substitution";

export interface CheckedValue extends Value {
  check: Check | null;
}

/** Values of names in one task, as MathJSON. */
export type Bindings = Readonly<Record<string, unknown>>;

export interface EquationSolutions {
  solutions: Record<string, Value>[];
  method: "exact" | "numeric search";
  /** False if more solutions are possible. */
  complete: boolean;
}

/** How close an option is to a value. */
export interface Likeness {
  /** `exact`: equal by algebra; `numeric`: equal at every sampled point; null: different. */
  same: "exact" | "numeric" | null;
  /** The difference, if both are numbers. */
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
  calculate: CheckedValue;
  solve: EquationSolutions;
  /** `vacuous`: true for all values of the names. */
  holds: { holds: boolean; vacuous: boolean };
  compare: (Likeness | null)[];
}

export type Reply<T extends Task> = Replies[T["do"]];

/** Valid names in LaTeX for unknowns and givens: one letter, Greek or Latin, with or without an index. */
export const NAME = /^(?:[A-Za-z]|\\[a-zA-Z]+)(?:_(?:[A-Za-z0-9]|\{[A-Za-z0-9]{1,8}\}))?$/;

/** Letters that are constants or functions in the engine, and their replacements. */
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

/** Renames `e` and `i` as unknowns for the engine, wherever they are separate letters. */
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

/** Returns the MathJSON symbol of a LaTeX name: `r_{12}` is `r_12`, `\alpha` is `alpha`. */
export function symbolOf(name: string): string {
  const given = TAKEN[name] ?? name;
  return given.replace(/^\\/, "").replace(/_\{([^}]*)\}/, "_$1");
}
