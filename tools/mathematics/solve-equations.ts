import type { ComputeEngine, Expression } from "@cortex-js/compute-engine";
import { along, functionOf, near, pointsFor, valueAt } from "./check-by-sampling.ts";
import {
  type Bindings,
  type EquationSolutions,
  NAME,
  symbolOf,
  type Value,
} from "./engine-tasks.ts";
import { operandsOf, readExpression, realOf, resultOf } from "./read-expression.ts";
import { rootsOf, rootsOfSystem } from "./root-search.ts";
import { quoted, refused } from "./validate-expression.ts";

const CLOSE = 1e-7;
const MOST_SOLUTIONS = 24;

/**
 * Returns real solutions, verified by substitution into every equation. Throws `Failure` `mathematics` if no solution
 * remains.
 */
export function solveEquations(
  ce: ComputeEngine,
  equations: readonly string[],
  unknowns: readonly string[],
  bindings: Bindings,
): EquationSolutions {
  const wrong = unknowns.find((name) => !NAME.test(name));
  if (wrong !== undefined) throw refused("one letter as an unknown", `got ${quoted(wrong)}`);
  const named = Object.fromEntries(unknowns.map((name) => [name, symbolOf(name)]));
  const read = equations.map((latex) => readEquation(ce, latex, named, bindings));
  const symbols = unknowns.map(symbolOf);
  const exact = byAlgebra(ce, read, symbols).filter((one) => holdsIn(ce, read, one));
  const found = exact.length > 0 ? exact : bySearch(ce, read, symbols);
  if (found.length === 0)
    throw refused(
      `equations with a real solution for ${unknowns.join(", ")}`,
      `found none for ${quoted(equations.join("; "))}`,
    );
  return {
    solutions: found.slice(0, MOST_SOLUTIONS).map((solution) =>
      Object.fromEntries(
        unknowns.map((name): [string, Value] => {
          const value = solution[symbolOf(name)] as Expression;
          return [name, resultOf(value, equations.join("; "))];
        }),
      ),
    ),
    method: exact.length > 0 ? "exact" : "numeric search",
    complete: exact.length > 0 && read.every((one) => isPolynomial(one, symbols)),
  };
}

type Solution = Record<string, Expression>;

/**
 * Parses `left = right`; an expression without a sign is set equal to zero. Unknowns are symbols, including `e` and
 * `i`.
 */
function readEquation(
  ce: ComputeEngine,
  latex: string,
  named: Readonly<Record<string, string>>,
  bindings: Bindings,
): Expression {
  const read = readExpression(ce, latex, { ...bindings, ...named });
  if (read.operator === "Equal") {
    if (operandsOf(read).length !== 2)
      throw refused("one sign of equality", `got ${quoted(latex)}`);
    return read;
  }
  if (["Less", "LessEqual", "Greater", "GreaterEqual", "NotEqual", "And"].includes(read.operator))
    throw refused("equations", `got ${quoted(latex)}: inequalities are not solved`);
  return ce.expr(["Equal", read.json, 0]);
}

function byAlgebra(
  ce: ComputeEngine,
  read: readonly Expression[],
  symbols: readonly string[],
): Solution[] {
  const [only] = read;
  const [symbol] = symbols;
  if (read.length === 1 && symbols.length === 1 && only !== undefined && symbol !== undefined) {
    const roots = only.solve(symbol);
    return Array.isArray(roots)
      ? (roots as readonly unknown[] as Expression[]).flatMap((root): Solution[] =>
          "json" in root ? [{ [symbol]: root }] : [],
        )
      : [];
  }
  const found = ce.expr(["List", ...read.map((one) => one.json)]).solve(symbols);
  if (found === null) return [];
  const all = (Array.isArray(found) ? found : [found]) as Solution[];
  return all.filter((one) => symbols.every((name) => one[name] !== undefined));
}

function bySearch(
  ce: ComputeEngine,
  read: readonly Expression[],
  symbols: readonly string[],
): Solution[] {
  const [symbol] = symbols;
  const names = new Set(read.flatMap((one) => [...one.unknowns]));
  if (symbol === undefined || read.length !== symbols.length || names.size > symbols.length)
    return [];
  const differences = read.map((one) => difference(ce, one));
  const functions = differences.map((one) => functionOf(ce, one));
  const [only] = differences;
  const points =
    symbols.length === 1 && only !== undefined
      ? rootsOf(along(ce, only, symbol, {})).map((x) => [x])
      : rootsOfSystem((at) => functions.map((f) => f(put(symbols, at))), symbols.length);
  return points
    .map((at) =>
      Object.fromEntries(symbols.map((name, k) => [name, ce.number(rounded(at[k] ?? 0))])),
    )
    .filter((one) => holdsIn(ce, read, one));
}

function put(symbols: readonly string[], at: readonly number[]): Record<string, number> {
  return Object.fromEntries(symbols.map((name, k) => [name, at[k] ?? 0]));
}

/** Rounds a value that bisection leaves close to an integer. */
function rounded(x: number): number {
  const short = Number(x.toPrecision(12));
  return near(short, x, 1e-12) ? short : x;
}

function difference(ce: ComputeEngine, equation: Expression): Expression {
  const [left, right] = operandsOf(equation);
  return ce.expr(["Subtract", left?.json ?? 0, right?.json ?? 0]);
}

/** Verifies a solution by substitution: numerically, at several points if other names remain. */
function holdsIn(ce: ComputeEngine, read: readonly Expression[], solution: Solution): boolean {
  const values = Object.values(solution);
  if (values.some((value) => value.unknowns.length === 0 && realOf(value) === null)) return false;
  return read.every((equation) => {
    const [left, right] = operandsOf(equation).map((side) => ce.expr(side.subs(solution).json));
    if (left === undefined || right === undefined) return false;
    const names = [...new Set([...left.unknowns, ...right.unknowns])].sort();
    const points = names.length === 0 ? [{}] : pointsFor(names);
    const told = points.flatMap((at) => {
      const [a, b] = [valueAt(ce, left, at), valueAt(ce, right, at)];
      return a === null || b === null ? [] : [near(a, b, CLOSE)];
    });
    return told.length > 0 && told.every(Boolean);
  });
}

/** Whether algebra finds all solutions: only sums, products and integer powers of the unknowns. */
function isPolynomial(read: Expression, symbols: readonly string[]): boolean {
  if (!read.unknowns.some((name) => symbols.includes(name))) return true;
  if (read.operator === "Power") {
    const [base, exponent] = operandsOf(read);
    const whole = realOf(exponent);
    return (
      base !== undefined &&
      whole !== null &&
      whole > 0 &&
      Number.isInteger(whole) &&
      isPolynomial(base, symbols)
    );
  }
  if (read.operator === "Divide") {
    const [top, below] = operandsOf(read);
    const plain = below !== undefined && !below.unknowns.some((name) => symbols.includes(name));
    return plain && top !== undefined && isPolynomial(top, symbols);
  }
  const parts = operandsOf(read);
  return (
    parts.length === 0 ||
    (["Add", "Subtract", "Negate", "Multiply", "Equal", "Rational", "Square", "Cube"].includes(
      read.operator,
    ) &&
      parts.every((part) => isPolynomial(part, symbols)))
  );
}
