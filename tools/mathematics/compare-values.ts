import type { ComputeEngine, Expression } from "@cortex-js/compute-engine";
import { isFailure } from "../../src/core/errors.ts";
import { near } from "./check-by-sampling.ts";
import type { Bindings, Likeness } from "./engine-tasks.ts";
import { sameInNumbers } from "./evaluate-expression.ts";
import { operandsOf, readExpression, realOf } from "./read-expression.ts";

const EXACT = 1e-12;
const EQUAL = 1e-9;

/** Compares each candidate with a result; null for an invalid candidate. */
export function compareAll(
  ce: ComputeEngine,
  json: unknown,
  candidates: readonly string[],
): (Likeness | null)[] {
  const value = ce.expr(json as Parameters<ComputeEngine["expr"]>[0]);
  return candidates.map((latex) => {
    try {
      return compare(ce, value, readExpression(ce, latex).evaluate());
    } catch (error) {
      if (isFailure(error, "mathematics")) return null;
      throw error;
    }
  });
}

function compare(ce: ComputeEngine, value: Expression, given: Expression): Likeness {
  const [a, b] = inOneUnit(ce, value, given);
  if (a === null || b === null) return { same: null, difference: null, value: null };
  const parts = partsOf(a, b);
  if (parts !== null) {
    if (parts.length === 0) return { same: null, difference: null, value: null };
    const all = parts.map(([x, y]) => compare(ce, x, y).same);
    const same = all.includes(null)
      ? null
      : all.every((one) => one === "exact")
        ? "exact"
        : "numeric";
    return { same, difference: null, value: null };
  }
  const [x, y] = [realOf(a), realOf(b)];
  if (x !== null && y !== null) {
    const difference = Math.abs(x - y);
    const exact = a.isSame(b) || near(x, y, EXACT);
    return { same: exact ? "exact" : near(x, y, EQUAL) ? "numeric" : null, difference, value: y };
  }
  if (a.isSame(b)) return { same: "exact", difference: null, value: null };
  const constant = withoutConstant(ce, a, b);
  return {
    same: sameInNumbers(ce, a, constant) === true ? "numeric" : null,
    difference: null,
    value: null,
  };
}

/** Converts quantities to the unit of the first. A bare number compared with a quantity is taken to have its unit. */
function inOneUnit(
  ce: ComputeEngine,
  a: Expression,
  b: Expression,
): [Expression | null, Expression | null] {
  const [first, second] = [a.operator === "Quantity", b.operator === "Quantity"];
  if (!first && !second) return [a, b];
  if (first && !second) return [operandsOf(a)[0] ?? null, b];
  if (!first) return [a, operandsOf(b)[0] ?? null];
  const put = ce.expr(["UnitConvert", b.json, operandsOf(a)[1]?.json ?? "Nothing"]).evaluate();
  return put.operator === "Quantity" && put.isValid
    ? [operandsOf(a)[0] ?? null, operandsOf(put)[0] ?? null]
    : [null, null];
}

const LISTS = new Set(["List", "Matrix", "Tuple", "Set", "Pair", "Triple", "Sequence"]);

/**
 * Pairs the members of lists, tuples and matrices in order, and of sets in ascending order; null if their numbers
 * differ.
 */
function partsOf(a: Expression, b: Expression): [Expression, Expression][] | null {
  if (!LISTS.has(a.operator) || !LISTS.has(b.operator)) return null;
  const members = (of: Expression): Expression[] =>
    of.operator === "Matrix" ? [...operandsOf(operandsOf(of)[0])] : [...operandsOf(of)];
  const sorted = (of: Expression): Expression[] =>
    a.operator === "Set" || b.operator === "Set"
      ? members(of).sort((x, y) => (realOf(x) ?? 0) - (realOf(y) ?? 0))
      : members(of);
  const [left, right] = [sorted(a), sorted(b)];
  if (left.length !== right.length) return [];
  return left.map((x, k) => [x, right[k] as Expression]);
}

/** Removes the constant of integration: `F + C` equals `F`. */
function withoutConstant(ce: ComputeEngine, value: Expression, given: Expression): Expression {
  const free = ["C", "c"].find(
    (name) => given.unknowns.includes(name) && !value.unknowns.includes(name),
  );
  return free === undefined ? given : ce.expr(given.subs({ [free]: ce.number(0) }).json);
}

/** Returns whether a relation holds with the given values, and whether it would hold with any values. */
export function holds(
  ce: ComputeEngine,
  relation: string,
  bindings: Bindings,
): { holds: boolean; vacuous: boolean } {
  const bound = readExpression(ce, relation, bindings);
  const bare = readExpression(
    ce,
    relation,
    Object.fromEntries(Object.keys(bindings).map((name) => [name, symbolFor(name)])),
  );
  return { holds: isTrue(ce, bound), vacuous: bare.operator === "Equal" && isIdentity(ce, bare) };
}

function symbolFor(name: string): string {
  return name.replace(/^\\/, "").replace(/_\{([^}]*)\}/, "_$1");
}

const TOLERANCE = 1e-6;

function isTrue(ce: ComputeEngine, relation: Expression): boolean {
  const [left, right] = operandsOf(relation).map((side) => side.evaluate());
  if (left === undefined || right === undefined) return false;
  if (relation.operator === "Equal") {
    const [a, b] = inOneUnit(ce, left, right);
    if (a === null || b === null) return false;
    const [x, y] = [realOf(a), realOf(b)];
    if (x !== null && y !== null) return near(x, y, TOLERANCE);
    return compare(ce, a, b).same !== null;
  }
  const [x, y] = [realOf(left), realOf(right)];
  if (x === null || y === null) return relation.evaluate().json === "True";
  switch (relation.operator) {
    case "Less":
      return x < y;
    case "LessEqual":
      return x <= y || near(x, y, TOLERANCE);
    case "Greater":
      return x > y;
    case "GreaterEqual":
      return x >= y || near(x, y, TOLERANCE);
    default:
      return relation.evaluate().json === "True";
  }
}

function isIdentity(ce: ComputeEngine, relation: Expression): boolean {
  const [left, right] = operandsOf(relation);
  return left !== undefined && right !== undefined && sameInNumbers(ce, left, right) === true;
}
