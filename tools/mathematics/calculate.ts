import type { ComputeEngine } from "@cortex-js/compute-engine";
import type { Equation, Expression } from "./notation.ts";

/** Values nearer than this are the same, measured by their size. */
const EXACT = 1e-9;

let engine: Promise<ComputeEngine> | undefined;

/** Loaded when first needed: it takes longer to load than to calculate. */
function load(): Promise<ComputeEngine> {
  engine ??= import("@cortex-js/compute-engine").then(({ ComputeEngine: Engine }) => new Engine());
  return engine;
}

/** The value of plain arithmetic; null where it has none (a division by zero, an unknown). */
export async function evaluate(expression: Expression): Promise<number | null> {
  if (expression.unknown !== null) return null;
  return valueWith(await load(), expression, null);
}

/** The one number that solves an equation, checked by putting it in; null where there is none, or more than one. */
export async function solve({ left, right, unknown }: Equation): Promise<number | null> {
  if (unknown === null) return null;
  const ce = await load();
  const roots = ce.parse(`${latex(left, unknown)}=${latex(right, unknown)}`).solve("x");
  if (!Array.isArray(roots) || roots.length !== 1) return null;
  const value = realOf(roots[0]);
  if (value === null) return null;
  const [a, b] = [left, right].map((side) => valueWith(ce, side, value));
  return a != null && b != null && areEqual(a, b) ? value : null;
}

export function areEqual(a: number, b: number): boolean {
  return Math.abs(a - b) <= EXACT * Math.max(1, Math.abs(a), Math.abs(b));
}

function valueWith(ce: ComputeEngine, expression: Expression, value: number | null): number | null {
  const filled = value === null ? latex(expression, null) : latex(expression, `(${value})`);
  return realOf(ce.parse(filled).N());
}

/** The unknown is always `x` for the engine, to which `e` and `i` are numbers; a text in brackets takes its place. */
function latex({ tokens }: Expression, unknown: string | null): string {
  const put = unknown?.startsWith("(") ? unknown : "x";
  return tokens
    .map((token) => (token === "*" ? "\\cdot " : /^[A-Za-z]$/.test(token) ? put : token))
    .join("");
}

function realOf(found: unknown): number | null {
  if (typeof found !== "object" || found === null || !("N" in found)) return null;
  const { re, im } = (found as { N(): { re: number; im: number } }).N();
  return Number.isFinite(re) && Math.abs(im) < EXACT ? Number(re.toPrecision(12)) : null;
}
