import type { ComputeEngine, Expression } from "@cortex-js/compute-engine";
import { integralOf } from "./quadrature.ts";
import { operandsOf, POINTS, realOf } from "./read-expression.ts";
import { realFunction } from "./real-function.ts";

/*
 * Checks derivatives, integrals and limits of the engine numerically, against difference quotients, sums and
 * approaching values that are computed independently.
 */

const STEP = 1e-4;
const NEAR = 1e-5;

/** Returns whether both agree; null if fewer than two points could be compared. */
export function agrees(ce: ComputeEngine, asked: Expression, result: Expression): boolean | null {
  switch (asked.operator) {
    case "D":
      return derivativeAgrees(ce, asked, result);
    case "Integrate":
      return integralAgrees(ce, asked, result);
    case "Limit":
      return limitAgrees(ce, asked, result);
    default:
      return null;
  }
}

function derivativeAgrees(
  ce: ComputeEngine,
  asked: Expression,
  result: Expression,
): boolean | null {
  const [of, name] = operandsOf(asked);
  const symbol = name?.json;
  if (of === undefined || typeof symbol !== "string" || of.operator === "D") return null;
  return everyPoint([of, result], (at) => {
    const f = along(ce, of, symbol, at);
    const x = at[symbol] ?? 0;
    const [ahead, behind] = [f(x + STEP), f(x - STEP)];
    const value = valueAt(ce, result, at);
    return ahead === null || behind === null || value === null
      ? null
      : near((ahead - behind) / (2 * STEP), value, NEAR * 10);
  });
}

function integralAgrees(ce: ComputeEngine, asked: Expression, result: Expression): boolean | null {
  const [body, limits] = operandsOf(asked);
  const inner = bodyOf(body);
  const [name, from, to] = operandsOf(limits);
  const symbol = name?.json;
  if (inner === undefined || inner.operator === "Integrate" || typeof symbol !== "string")
    return null;
  if (from === undefined || from.json === "Nothing")
    return everyPoint([inner, result], (at) => {
      const F = along(ce, result, symbol, at);
      const x = at[symbol] ?? 0;
      const [ahead, behind] = [F(x + STEP), F(x - STEP)];
      const value = valueAt(ce, inner, at);
      return ahead === null || behind === null || value === null
        ? null
        : near((ahead - behind) / (2 * STEP), value, NEAR * 10);
    });
  const [a, b, value] = [endOf(from), endOf(to), realOf(result)];
  if (a === null || b === null || value === null) return null;
  const sum = integralOf(along(ce, inner, symbol, {}), a, b);
  return sum === null ? null : near(sum, value, 1e-4);
}

/** An end of a range, which may be infinite. */
function endOf(given: Expression | undefined): number | null {
  if (given?.json === "PositiveInfinity") return Number.POSITIVE_INFINITY;
  return given?.json === "NegativeInfinity" ? Number.NEGATIVE_INFINITY : realOf(given);
}

function limitAgrees(ce: ComputeEngine, asked: Expression, result: Expression): boolean | null {
  const [body, to, side] = operandsOf(asked);
  const inner = bodyOf(body);
  const symbol = operandsOf(body)[1]?.json;
  const value = realOf(result);
  if (inner === undefined || typeof symbol !== "string" || to === undefined || value === null)
    return null;
  const f = along(ce, inner, symbol, {});
  const goal = realOf(to);
  const sign = to.json === "NegativeInfinity" ? -1 : 1;
  const approach = (step: number): number[] => {
    if (goal === null) return [sign * 10 ** step];
    const direction = side === undefined ? [1, -1] : [realOf(side) ?? 1];
    return direction.map((way) => goal + way * 10 ** -step);
  };
  const tries = [2, 3, 4].map((step) =>
    approach(step).map((x) => {
      const y = f(x);
      return y === null ? null : Math.abs(y - value) / Math.max(1, Math.abs(value));
    }),
  );
  const errors = tries.map((both) =>
    both.includes(null) ? null : Math.max(...(both as number[])),
  );
  const [first, , last] = errors;
  if (first == null || last == null) return null;
  return last < 1e-3 || (last < 0.1 && last < first * 0.2);
}

/** Returns `f` of `Function(Block(f), x)`. */
function bodyOf(given: Expression | undefined): Expression | undefined {
  const block = given?.operator === "Function" ? operandsOf(given)[0] : given;
  return block?.operator === "Block" ? operandsOf(block)[0] : block;
}

/** Compares values at points of all free names; null if fewer than two could be compared. */
function everyPoint(
  expressions: readonly Expression[],
  same: (at: Record<string, number>) => boolean | null,
): boolean | null {
  const names = [...new Set(expressions.flatMap((one) => [...one.unknowns]))].sort();
  const found = pointsFor(names).map(same);
  const told = found.filter((one) => one !== null);
  return told.length < 2 ? null : told.every(Boolean);
}

/** Returns the same numbers for the same names. */
export function pointsFor(names: readonly string[]): Record<string, number>[] {
  return POINTS.map((_, turn) =>
    Object.fromEntries(
      names.map((name, place) => [
        name,
        (POINTS[(turn + place) % POINTS.length] ?? 1) + place * 0.11,
      ]),
    ),
  );
}

/** Returns null without a real value. */
export function valueAt(
  ce: ComputeEngine,
  of: Expression,
  at: Record<string, number>,
): number | null {
  return functionOf(ce, of)(at);
}

export function along(
  ce: ComputeEngine,
  of: Expression,
  name: string,
  at: Record<string, number>,
): (x: number) => number | null {
  const f = functionOf(ce, of);
  return (x) => f({ ...at, [name]: x });
}

/** Evaluates with plain arithmetic, or with the engine for unknown operations. */
export function functionOf(
  ce: ComputeEngine,
  of: Expression,
): (at: Record<string, number>) => number | null {
  const plain = realFunction(of.json);
  if (plain !== null)
    return (at) => {
      const y = plain(at);
      return Number.isFinite(y) ? y : null;
    };
  return (at) => {
    const put = Object.fromEntries(
      Object.entries(at).map(([name, value]) => [name, ce.number(value)]),
    );
    return realOf(ce.expr(of.subs(put).json));
  };
}

export function near(a: number, b: number, tolerance: number): boolean {
  return Math.abs(a - b) <= tolerance * Math.max(1, Math.abs(a), Math.abs(b));
}
