import type { ComputeEngine, Expression } from "@cortex-js/compute-engine";
import { agrees, near, pointsFor, valueAt } from "./check-by-sampling.ts";
import type { Bindings, Check, CheckedValue } from "./engine-tasks.ts";
import { operandsOf, readExpression, resultOf } from "./read-expression.ts";
import { quoted, refused } from "./validate-expression.ts";

const CLOSE = 1e-9;

/**
 * Evaluates an expression, exactly if possible. Throws `Failure` `mathematics`, also if a numeric check contradicts the
 * result.
 */
export function evaluateExpression(
  ce: ComputeEngine,
  latex: string,
  bindings: Bindings,
): CheckedValue {
  const asked = readExpression(ce, latex, bindings);
  const found = settled(asked);
  const value = resultOf(found, latex);
  return { ...value, check: checked(ce, asked, found, latex) };
}

/** Evaluates by algebra, or numerically if algebra has no result. */
function settled(asked: Expression): Expression {
  const exact = asked.evaluate();
  const undone =
    exact.operator === asked.operator &&
    ["Integrate", "Limit", "Sum", "Product"].includes(exact.operator);
  if (!undone) return exact;
  const number = asked.N();
  const [middle] = operandsOf(number);
  return number.operator === "Measurement" && middle !== undefined ? middle : number;
}

function checked(
  ce: ComputeEngine,
  asked: Expression,
  found: Expression,
  latex: string,
): Check | null {
  const sampled = agrees(ce, asked, found);
  if (sampled === false)
    throw refused(
      "a result that numbers bear out",
      `those for ${quoted(latex)} come to something else`,
    );
  if (sampled === true) return "numeric sampling";
  // The engine's numeric integration uses random sampling, which is too imprecise to verify an exact value.
  if (asked.operator === "Integrate") return null;
  const twice = sameInNumbers(ce, asked, found);
  if (twice === false)
    throw refused("two ways of evaluating to agree", `those of ${quoted(latex)} do not`);
  return twice === true ? "evaluated twice" : null;
}

/** Compares an expression with its result numerically; null if they have no comparable values. */
export function sameInNumbers(ce: ComputeEngine, a: Expression, b: Expression): boolean | null {
  if (a.unknowns.length === 0 && b.unknowns.length === 0) {
    const [x, y] = [numbersOf(a.N().json), numbersOf(b.N().json)];
    const listed = a.operator === "Quantity" || x.length > 1;
    if (listed && y.length > 0 && b.operator !== "Rational")
      return x.length === y.length && x.every((value, place) => near(value, y[place] ?? 0, CLOSE));
  }
  const names = [...new Set([...a.unknowns, ...b.unknowns])].sort();
  const points = names.length === 0 ? [{}] : pointsFor(names);
  const pairs = points.map((at) => [valueAt(ce, a, at), valueAt(ce, b, at)] as const);
  const both = pairs.filter((pair): pair is readonly [number, number] => !pair.includes(null));
  if (both.length < Math.min(2, points.length)) return null;
  return both.every(([x, y]) => near(x, y, CLOSE));
}

/** All numbers of a list, a matrix or a quantity, in order. */
function numbersOf(json: unknown): number[] {
  if (typeof json === "number") return [json];
  if (Array.isArray(json)) return json.slice(1).flatMap(numbersOf);
  const told =
    typeof json === "object" && json !== null && "num" in json ? Number(json.num) : Number.NaN;
  return Number.isFinite(told) ? [told] : [];
}
