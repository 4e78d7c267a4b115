import type { Problem, ScriptedPlan } from "./problem.ts";

/** Errors of plans, each with the diagnostics of the answer. */
export const WRONG: readonly {
  name: string;
  /** The plan spoilt, or null where this one cannot be spoilt so. */
  spoil: (plan: ScriptedPlan, problem: Problem) => ScriptedPlan | null;
  says: RegExp;
}[] = [
  {
    name: "a number that nobody said",
    spoil: (plan) => ({
      ...plan,
      givens: plan.givens.map((given, place) =>
        place === 0 ? { ...given, latex: given.latex.replace(/\d+/, "7919") } : given,
      ),
    }),
    says: /7919/,
  },
  {
    name: "a number in a step from nowhere",
    spoil: (plan) => ({
      ...plan,
      steps: [...plan.steps, { do: "calculate", name: "w", expression: "7919 + 1" }],
    }),
    says: /7919 .*stands nowhere/,
  },
  {
    name: "evidence that is not there",
    spoil: (plan) => ({
      ...plan,
      givens: plan.givens.map((given) => ({ ...given, item: "nothing of the kind" })),
    }),
    says: /cites E99, which is not there/,
  },
  {
    name: "another operation, which its check gives away",
    spoil: (plan) => {
      const last = plan.steps.at(-1);
      if (last?.do !== "calculate") return null;
      const wrong = { ...last, expression: `(${last.expression}) \\cdot 2 + 1` };
      return /Inverse|det|pmatrix|UnitConvert|int|frac\{d|lim/.test(last.expression)
        ? null
        : { ...plan, steps: [...plan.steps.slice(0, -1), wrong] };
    },
    says: /does not satisfy/,
  },
  {
    name: "a result that is no option",
    spoil: (plan, { category }) =>
      /matrices|systems|units|derivatives|integrals/.test(category)
        ? null
        : { ...plan, answer: `(${plan.answer}) \\cdot 3 + 777` },
    says: /No option is/,
  },
  {
    name: "a check that only repeats the step",
    spoil: (plan) => {
      const [step] = plan.steps;
      return step?.do !== "calculate"
        ? null
        : {
            ...plan,
            steps: [step],
            answer: step.name,
            checks: [`${step.name} = ${step.expression}`],
          };
    },
    says: /does not satisfy/,
  },
  {
    name: "a check that is true of anything",
    spoil: (plan) =>
      plan.steps.some((step) => step.do === "solve") ? null : { ...plan, checks: ["2 + 2 = 4"] },
    says: /does not satisfy/,
  },
  {
    name: "an answer that no step gave",
    spoil: (plan) => ({ ...plan, answer: "z_{99}" }),
    says: /No option is/,
  },
  {
    name: "an expression that gives a name a value",
    spoil: (plan) => ({
      ...plan,
      steps: [{ do: "calculate", name: "w", expression: "a := 3" }, ...plan.steps],
    }),
    says: /gives a name a value/,
  },
  {
    name: "words in place of LaTeX",
    spoil: (plan) => ({
      ...plan,
      steps: [{ do: "calculate", name: "w", expression: "\\text{add them all up}" }, ...plan.steps],
    }),
    says: /Expected an expression/,
  },
];
