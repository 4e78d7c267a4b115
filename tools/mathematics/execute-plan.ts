import { isFailure } from "../../src/core/errors.ts";
import { calculateInThread, type EngineOptions } from "./engine.ts";
import type { CheckedValue, EquationSolutions, Value } from "./engine-tasks.ts";
import { figuresOf, numbersSaid } from "./number-words.ts";
import type { CalculationPlan, PlanStep } from "./plan.ts";

/** One executed step. */
export type StepResult =
  | { do: "calculate"; name: string; expression: string; result: CheckedValue; from: string[] }
  | {
      do: "solve";
      equations: string[];
      unknowns: string[];
      result: EquationSolutions;
      from: string[];
    };

export interface PlanResult {
  /** The value of the plan's answer; null if it has none, or more than one. */
  answer: Value | null;
  /** Why the answer is not verified, in one sentence; null if all checks hold. */
  problem: string | null;
  done: StepResult[];
  /** The checks of the plan. All of them hold if `problem` is null. */
  checks: readonly string[];
}

/** Values of names in one of the cases that equations with several solutions lead to. */
type Case = Readonly<Record<string, Value>>;

const MOST_CASES = 8;

/**
 * Executes a plan: calculates every number with the engine, compares every given with the evidence that it cites, and
 * every result with the plan's own checks. `words` has the text of each name that a given may cite.
 */
export async function executePlan(
  plan: CalculationPlan,
  words: ReadonlyMap<string, string>,
  options: EngineOptions = {},
): Promise<PlanResult> {
  const done: StepResult[] = [];
  const ended = (problem: string): PlanResult => ({
    answer: null,
    problem,
    done,
    checks: plan.checks,
  });
  const unsupported = unsupportedIn(plan, words);
  if (unsupported !== null) return ended(unsupported);
  try {
    const givens: Record<string, Value> = {};
    for (const { name, latex } of plan.givens) {
      if (name in givens)
        return ended(`Expected each given to have a name of its own, but ${name} stands for two.`);
      givens[name] = await valueIn(latex, givens, options);
    }
    let cases: Case[] = [givens];
    for (const step of plan.steps) cases = await perform(step, cases, plan, done, options);
    const held: Case[] = [];
    for (const one of cases) if (await allHold(plan, one, options)) held.push(one);
    if (held.length === 0)
      return ended(`The result does not satisfy ${plan.checks.join(" and ")}.`);
    const answers: Value[] = [];
    for (const one of held) {
      const value = await valueIn(plan.answer, one, options);
      if (!answers.some((other) => other.exact === value.exact)) answers.push(value);
    }
    const [answer] = answers;
    if (answers.length > 1 || answer === undefined)
      return ended(
        `The plan leaves ${answers.length} answers: ${answers.map(({ exact }) => exact).join(", ")}.`,
      );
    return { answer, problem: null, done, checks: plan.checks };
  } catch (error) {
    if (isFailure(error, "mathematics")) return ended(error.message);
    throw error;
  }
}

async function perform(
  step: PlanStep,
  cases: readonly Case[],
  plan: CalculationPlan,
  done: StepResult[],
  options: EngineOptions,
): Promise<Case[]> {
  const next: Case[] = [];
  for (const one of cases) {
    const bindings = bindingsOf(one);
    if (step.do === "calculate") {
      const task = { do: "calculate", latex: step.expression, bindings } as const;
      const result = await calculateInThread(task, options);
      done.push({ ...step, result, from: citedBy(plan, [step.expression]) });
      next.push({ ...one, [step.name]: result });
      continue;
    }
    const { equations, for: unknowns } = step;
    const free = Object.fromEntries(
      Object.entries(bindings).filter(([name]) => !unknowns.includes(name)),
    );
    const task = { do: "solve", equations, unknowns, bindings: free } as const;
    const result = await calculateInThread(task, options);
    const from = [...new Set([...step.from, ...citedBy(plan, equations)])];
    done.push({ do: "solve", equations, unknowns, result, from });
    for (const solution of result.solutions) next.push({ ...one, ...solution });
  }
  return next.slice(0, MOST_CASES);
}

/** A check that is true of any values, or that only repeats a step, proves nothing and does not count. */
async function allHold(plan: CalculationPlan, one: Case, options: EngineOptions): Promise<boolean> {
  let telling = plan.steps.some((step) => step.do === "solve");
  for (const relation of plan.checks) {
    const task = { do: "holds", relation, bindings: bindingsOf(one) } as const;
    const { holds, vacuous } = await calculateInThread(task, options);
    if (!holds) return false;
    telling ||= !vacuous && !repeats(relation, plan);
  }
  return telling;
}

function repeats(relation: string, { steps }: CalculationPlan): boolean {
  const bare = (latex: string) => latex.replace(/\s|\\[,;:! ]|[{}]/g, "");
  return steps.some((step) => {
    if (step.do !== "calculate") return false;
    const [name, expression] = [bare(step.name), bare(step.expression)];
    return [`${name}=${expression}`, `${expression}=${name}`].includes(bare(relation));
  });
}

async function valueIn(latex: string, one: Case, options: EngineOptions): Promise<Value> {
  return await calculateInThread({ do: "calculate", latex, bindings: bindingsOf(one) }, options);
}

function bindingsOf(one: Case): Record<string, unknown> {
  return Object.fromEntries(Object.entries(one).map(([name, { json }]) => [name, json]));
}

/** Evidence of the givens whose names are in the expressions; of all givens if no name is. */
function citedBy({ givens }: CalculationPlan, expressions: readonly string[]): string[] {
  const named = givens.filter(({ name }) =>
    expressions.some((latex) => {
      const at = latex.indexOf(name);
      return at >= 0 && new RegExp(`(?<![A-Za-z\\\\])${escaped(name)}(?![A-Za-z_])`).test(latex);
    }),
  );
  return [...new Set((named.length > 0 ? named : givens).flatMap(({ from }) => from))];
}

function escaped(name: string): string {
  return name.replace(/[\\{}^$.*+?()[\]|]/g, "\\$&");
}

/** Numbers that are common in formulas and need no source. */
const ORDINARY = new Set([
  ...Array(13).keys(),
  24,
  60,
  90,
  100,
  180,
  270,
  360,
  1000,
  3600,
  0.5,
  0.25,
]);

/**
 * Finds the first unsupported number: one of a given that is not in its cited evidence, or one of a step without a
 * source.
 */
function unsupportedIn(plan: CalculationPlan, words: ReadonlyMap<string, string>): string | null {
  for (const { name, latex, from } of plan.givens) {
    const unknown = from.find((source) => !words.has(source));
    if (unknown !== undefined) return `The given ${name} cites ${unknown}, which is not there.`;
    const said = saidIn(from.map((source) => words.get(source) ?? ""));
    const missing = figuresOf(latex).find((figure) => !said.has(figure));
    if (missing !== undefined)
      return `The given ${name} = ${latex} is not borne out: ${from.join(", ")} does not say ${missing}.`;
  }
  const all = saidIn([...words.values(), ...plan.facts, ...plan.givens.map(({ latex }) => latex)]);
  for (const step of plan.steps)
    for (const latex of step.do === "solve" ? step.equations : [step.expression]) {
      const missing = figuresOf(latex).find((figure) => !all.has(figure) && !ORDINARY.has(figure));
      if (missing !== undefined)
        return `The number ${missing} of ${latex} stands nowhere in what was observed.`;
    }
  return null;
}

function saidIn(texts: readonly string[]): Set<number> {
  return new Set(
    texts.flatMap((text) => [...numbersSaid(text).map(({ value }) => value), ...figuresOf(text)]),
  );
}
