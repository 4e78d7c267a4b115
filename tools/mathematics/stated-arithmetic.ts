import { isFailure } from "../../src/core/errors.ts";
import { calculateInThread } from "./engine.ts";
import { type Equation, type Expression, OPEN } from "./parse-arithmetic.ts";

/** Largest relative difference of equal values. */
const EXACT = 1e-9;

/** Returns the value of stated arithmetic; null if it has none (division by zero, an unknown). */
export async function evaluateStated(expression: Expression): Promise<number | null> {
  if (expression.unknown !== null) return null;
  const latex = latexOf(expression);
  return orNull(async () => {
    const { value } = await calculateInThread({ do: "calculate", latex, bindings: {} });
    return value === null ? null : short(value);
  });
}

/** Returns the only number that solves a stated equation; null if there is none or more than one. */
export async function solveStated({ left, right, unknown }: Equation): Promise<number | null> {
  if (unknown === null) return null;
  const equation = `${latexOf(left)}=${latexOf(right)}`;
  return orNull(async () => {
    const { solutions, complete } = await calculateInThread({
      do: "solve",
      equations: [equation],
      unknowns: ["x"],
      bindings: {},
    });
    const [only, ...more] = solutions;
    const value = only?.x?.value ?? null;
    return value === null || more.length > 0 || !complete ? null : short(value);
  });
}

/**
 * Restores a question mark that tesseract read as a 7: returns a false numeric equation that contains a single 7 with
 * that place open; null for all other equations.
 */
export async function reopened({ left, right, unknown }: Equation): Promise<Equation | null> {
  const sevens = [...left.tokens, ...right.tokens].filter((token) => token === "7").length;
  if (unknown !== null || sevens !== 1) return null;
  const [a, b] = [await evaluateStated(left), await evaluateStated(right)];
  if (a === null || b === null || areEqual(a, b)) return null;
  const open = ({ tokens }: Expression): Expression => ({
    tokens: tokens.map((token) => (token === "7" ? OPEN : token)),
    unknown: tokens.includes("7") ? OPEN : null,
  });
  return { left: open(left), right: open(right), unknown: OPEN };
}

export function areEqual(a: number, b: number): boolean {
  return Math.abs(a - b) <= EXACT * Math.max(1, Math.abs(a), Math.abs(b));
}

async function orNull(work: () => Promise<number | null>): Promise<number | null> {
  try {
    return await work();
  } catch (error) {
    if (isFailure(error, "mathematics")) return null;
    throw error;
  }
}

function short(value: number): number {
  return Number(value.toPrecision(12));
}

/** The unknown is always `x` for the engine, in which `e` and `i` are constants. */
function latexOf({ tokens }: Expression): string {
  return tokens
    .map((token) => (token === "*" ? "\\cdot " : /^[A-Za-z]$/.test(token) ? "x" : token))
    .join("");
}
