import { makeEvidence } from "../../../src/core/evidence.ts";
import type { Evidence } from "../../../src/core/shapes.ts";
import { inFigures, solutionsInWords } from "../../../tools/mathematics/calculation-evidence.ts";
import type { PlanResult, StepResult } from "../../../tools/mathematics/execute-plan.ts";
import { matchOption } from "../../../tools/mathematics/match-option.ts";
import type { CalculationPlan } from "../../../tools/mathematics/plan.ts";
import type { GraphContext } from "../../context.ts";
import { outcome } from "../../state.ts";
import { shownTo } from "./plan.ts";
import type { MathematicsState, MathematicsUpdate } from "./state.ts";

/**
 * Answers with the option that equals the result, or with the result for an open question. The calculations become
 * evidence. A result that fails its checks gives no answer: the diagnostics state `not verified`.
 */
export async function conclude(
  state: MathematicsState,
  context: GraphContext,
): Promise<MathematicsUpdate> {
  const { plan, planResult, question } = state;
  if (plan === null) return {};
  if (!plan.calculation || planResult === null)
    return { diagnostics: { mathematics: { state: "not a calculation" } } };
  const { answer, problem } = planResult;
  if (answer === null || problem !== null) return notVerified(problem ?? "The plan has no result.");
  const matched =
    question.options === undefined
      ? null
      : await matchOption(answer, question.options, { signal: context.signal });
  if (matched !== null && matched.letter === null) return notVerified(matched.why, answer.exact);
  const items = calculations(state, plan, planResult, context);
  const cites = [...new Set([...items.map(({ id }) => id), ...items.flatMap(({ from }) => from)])];
  const said = matched?.letter ?? `${answer.exact}${inFigures(answer.exact, answer.value)}`;
  const { checks } = planResult;
  const fit = matched === null ? {} : { match: matched.how, tolerance: matched.tolerance };
  return {
    evidence: items,
    diagnostics: {
      mathematics: { state: "verified", result: answer.exact, value: answer.value, checks, ...fit },
    },
    outcome: outcome({ status: "answered", answer: said, cites }),
  };
}

function notVerified(why: string, result?: string): MathematicsUpdate {
  const mathematics = { state: "not verified", why, ...(result === undefined ? {} : { result }) };
  return { diagnostics: { mathematics } };
}

/** One item per step, derived from the evidence of its givens and from the steps before it. */
function calculations(
  state: MathematicsState,
  plan: CalculationPlan,
  { done }: PlanResult,
  context: GraphContext,
): Evidence[] {
  const shown = shownTo(state);
  const items: Evidence[] = [];
  for (const step of done) {
    const cited = step.from.flatMap((name) => shown.get(name) ?? []);
    const from = [...new Set([...cited, ...items].map(({ id }) => id))];
    const over = cited.length > 0 ? cited : items;
    items.push(
      makeEvidence({
        video: context.video.hash,
        kind: "calculation",
        start_s: over.length === 0 ? 0 : Math.min(...over.map(({ start_s }) => start_s)),
        end_s: over.length === 0 ? 0 : Math.max(...over.map(({ end_s }) => end_s)),
        text: wordsOf(step, plan),
        data: dataOf(step, plan),
        by: { who: "tool", name: "compute-engine" },
        confidence: null,
        from,
      }),
    );
  }
  return items;
}

function wordsOf(step: StepResult, { givens }: CalculationPlan): string {
  const where = givens.map(({ name, latex }) => `${name} = ${latex}`).join(", ");
  const words =
    step.do === "calculate"
      ? `${step.name} = ${step.expression} = ${step.result.exact}${inFigures(step.result.exact, step.result.value)}`
      : `${solutionsInWords(step.result)}, from ${step.equations.join("; ")}`;
  return where === "" ? words : `${words}, where ${where}`;
}

function dataOf(step: StepResult, { givens, unknown }: CalculationPlan): Record<string, unknown> {
  const named = Object.fromEntries(givens.map(({ name, latex }) => [name, latex]));
  if (step.do === "calculate") {
    const { exact, value, unit, check } = step.result;
    return { unknown, givens: named, expression: step.expression, exact, value, unit, check };
  }
  const solutions = step.result.solutions.map((one) =>
    Object.fromEntries(
      Object.entries(one).map(([name, { exact, value }]) => [name, { exact, value }]),
    ),
  );
  return { unknown, givens: named, equations: step.equations, solutions, check: "substitution" };
}
