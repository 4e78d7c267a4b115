import { makeEvidence } from "../../src/core/evidence.ts";
import type { Evidence } from "../../src/core/shapes.ts";
import type { CalculationResult, SolveResult } from "./calculate.ts";

/** Returns a result as evidence with the time span of its sources; 0 to 0 s without sources. */
export function calculationEvidence(
  video: string,
  result: CalculationResult | SolveResult,
  from: readonly Evidence[],
): Evidence {
  return makeEvidence({
    video,
    kind: "calculation",
    start_s: from.length === 0 ? 0 : Math.min(...from.map((item) => item.start_s)),
    end_s: from.length === 0 ? 0 : Math.max(...from.map((item) => item.end_s)),
    text: inWords(result),
    data: { ...result },
    by: { who: "tool", name: "compute-engine" },
    confidence: null,
    from: from.map((item) => item.id),
  });
}

/** `\frac{1}{3}+\frac{1}{6} = \frac{1}{2} ≈ 0.5`; `x = 4, from 2x+3=11`. */
export function inWords(result: CalculationResult | SolveResult): string {
  return "expression" in result
    ? `${result.expression} = ${result.exact}${inFigures(result.exact, result.value)}`
    : `${solutionsInWords(result)}, from ${result.equations.join("; ")}`;
}

interface Solutions {
  solutions: readonly Readonly<Record<string, { exact: string; value: number | null }>>[];
  complete: boolean;
}

/** `x = 2 or x = 3`. */
export function solutionsInWords({ solutions, complete }: Solutions): string {
  const told = solutions.map((one) =>
    Object.entries(one)
      .map(([name, { exact, value }]) => `${name} = ${exact}${inFigures(exact, value)}`)
      .join(", "),
  );
  return `${told.join(" or ")}${complete ? "" : " (there may be more)"}`;
}

/** ` ≈ 0.5` after an exact form that is not a decimal number. */
export function inFigures(exact: string, value: number | null): string {
  if (value === null || /^-?\d+(?:\.\d+)?(?:\\,.*)?$/.test(exact)) return "";
  return ` ≈ ${Number(value.toPrecision(10))}`;
}
