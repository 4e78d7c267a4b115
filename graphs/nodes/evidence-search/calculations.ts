import { makeEvidence } from "../../../src/core/evidence.ts";
import { calculate, solve } from "../../../tools/mathematics/calculate.ts";
import { type Desk, listed, type Result } from "./results.ts";

/** The value of an expression, as evidence. Throws as `calculate`. */
export async function workOut(expression: string, desk: Desk): Promise<Result> {
  const { exact, value, unit } = await calculate({ expression }, { signal: desk.context.signal });
  return calculated(`${expression} = ${inNumbers(exact, value, unit)}`, desk);
}

/** What solves equations, as evidence. Throws as `solve`. */
export async function workOutUnknowns(
  equations: readonly string[],
  unknowns: readonly string[],
  desk: Desk,
): Promise<Result> {
  const asked = { equations: [...equations], for: [...unknowns] };
  const { solutions, complete } = await solve(asked, { signal: desk.context.signal });
  const each = solutions.map((solution) =>
    Object.entries(solution)
      .map(([name, { exact, value, unit }]) => `${name} = ${inNumbers(exact, value, unit)}`)
      .join(", "),
  );
  const found = each.length === 0 ? "no real solution" : each.join("; or ");
  const more = complete ? "" : " (there may be further solutions)";
  return calculated(`${equations.join(", ")}: ${found}${more}`, desk);
}

function inNumbers(exact: string, value: number | null, unit: string | null): string {
  const plain = value === null || String(value) === exact ? "" : ` = ${value}`;
  return `${exact}${plain}${unit === null ? "" : ` ${unit}`}`;
}

function calculated(words: string, desk: Desk): Result {
  const item = makeEvidence({
    video: desk.context.video.hash,
    kind: "calculation",
    start_s: 0,
    end_s: 0,
    text: words,
    by: { who: "tool", name: "compute-engine" },
    confidence: null,
    from: [],
  });
  return listed([item], desk);
}
