import { z } from "zod";
import { describeExpected } from "../../src/core/describe-issue.ts";
import { Failure } from "../../src/core/errors.ts";
import { TOOL_WORDS } from "../parse-request.ts";
import { calculateInThread, type EngineOptions } from "./engine.ts";
import type { Check, EquationSolutions, Value } from "./engine-tasks.ts";
import { LONGEST_EXPRESSION } from "./validate-expression.ts";

const Latex = z.string().min(1).max(LONGEST_EXPRESSION).describe("LaTeX without text around it");

/** A calculation that an agent or a person requests. */
export const CalculateInput = z.strictObject({
  expression: Latex.describe(
    "an expression in LaTeX: arithmetic, powers and roots, sums, derivatives \\frac{d}{dx}, integrals, limits, matrices, \\binom, \\operatorname{Mean}([1,2]), quantities such as 5\\,\\mathrm{km}",
  ),
});

export const SolveInput = z.strictObject({
  equations: z.array(Latex).min(1).max(8).describe("equations in LaTeX, such as 2x+3=11"),
  for: z.array(z.string().min(1).max(20)).min(1).max(8).describe("the unknowns, such as x"),
});

/** A result: `exact` in LaTeX, and `value` if it is one real number (of a quantity: in `unit`). */
export interface CalculationResult extends Omit<Value, "json"> {
  expression: string;
  /** The independent method that confirmed the result; null if none applies. */
  check: Check | null;
}

export interface SolveResult {
  equations: string[];
  unknowns: string[];
  /** Real solutions, each with the value of every unknown. */
  solutions: Record<string, Omit<Value, "json">>[];
  method: EquationSolutions["method"];
  /** False if more solutions are possible. */
  complete: boolean;
  check: "substitution";
}

/**
 * Calculates one expression, exactly if possible, and checks the result numerically. Expressions cannot affect later
 * calls. Throws `Failure` `mathematics` for an invalid expression, one without a value, or one that exceeds its time or
 * memory; `wrong-usage` for other input; `cancelled`.
 */
export async function calculate(
  input: z.input<typeof CalculateInput>,
  options: EngineOptions = {},
): Promise<CalculationResult> {
  const { expression } = read(CalculateInput, input);
  const { json: _, ...value } = await calculateInThread(
    { do: "calculate", latex: expression, bindings: {} },
    options,
  );
  return { expression, ...value };
}

/** Solves equations for real unknowns and verifies each solution by substitution. Throws what `calculate` throws. */
export async function solve(
  input: z.input<typeof SolveInput>,
  options: EngineOptions = {},
): Promise<SolveResult> {
  const { equations, for: unknowns } = read(SolveInput, input);
  const { solutions, method, complete } = await calculateInThread(
    { do: "solve", equations, unknowns, bindings: {} },
    options,
  );
  return {
    equations,
    unknowns,
    solutions: solutions.map((one) =>
      Object.fromEntries(Object.entries(one).map(([name, { json: _, ...value }]) => [name, value])),
    ),
    method,
    complete,
    check: "substitution",
  };
}

function read<T>(schema: z.ZodType<T>, input: unknown): T {
  const parsed = schema.safeParse(input);
  if (parsed.success) return parsed.data;
  const issue = parsed.error.issues[0];
  throw new Failure(
    "wrong-usage",
    `Expected something to calculate, but \`${issue?.path.join(".") || "input"}\` has to be ${describeExpected(issue, TOOL_WORDS)}.`,
    { path: issue?.path.join(".") },
  );
}
