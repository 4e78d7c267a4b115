import { setTimeout } from "node:timers/promises";
import { expect, test } from "vitest";
import { calculate } from "../../tools/mathematics/calculate.ts";
import { executePlan } from "../../tools/mathematics/execute-plan.ts";
import { matchOption } from "../../tools/mathematics/match-option.ts";
import { Plan } from "../../tools/mathematics/plan.ts";
import { makeProblems } from "../tools/mathematics/problems/make.ts";
import type { Problem, ScriptedPlan } from "../tools/mathematics/problems/problem.ts";
import { planFor } from "../tools/mathematics/problems/scripted.ts";
import { WRONG } from "../tools/mathematics/problems/wrong.ts";
import { RUNAWAYS } from "../tools/mathematics/runaways.ts";

/* Solves all problems of three seeds with plan, engine and options; unit tests cover the model's part. */

async function solved(problem: Problem, plan: ScriptedPlan) {
  const lines = problem.items.map((text, place) => `[E${place + 1}] ${text.replace(/\s+/g, " ")}`);
  const read = Plan.parse(planFor(plan, lines.join("\n")));
  if (!read.calculation) throw new Error("no calculation");
  const words = new Map(problem.items.map((text, place) => [`E${place + 1}`, text]));
  words.set("Q", `${problem.question}\n${problem.options.map(({ text }) => text).join("\n")}`);
  const { answer, problem: why } = await executePlan(read, words, { patience: 3 });
  if (answer === null || why !== null) return null;
  const matched = await matchOption(answer, problem.options, { patience: 3 });
  return matched.letter;
}

test.each([7, 11, 23])(
  "200 problems of seed %i have the results that are calculated here",
  async (seed) => {
    const wrong: string[] = [];
    for (const problem of makeProblems(200, seed))
      if ((await solved(problem, problem.plan)) !== problem.answer) wrong.push(problem.id);
    expect(wrong).toEqual([]);
  },
);

test("no malformed plan of 200 problems gives a letter", async () => {
  const lettered: string[] = [];
  let spoilt = 0;
  for (const problem of makeProblems(200, 7))
    for (const { name, spoil } of WRONG) {
      const plan = spoil(problem.plan, problem);
      if (plan === null) continue;
      spoilt++;
      if ((await solved(problem, plan)) !== null) lettered.push(`${problem.id}: ${name}`);
    }
  expect(lettered).toEqual([]);
  expect(spoilt).toBeGreaterThan(1000);
});

test("endless expressions end within 2 s with a sentence or a result", async () => {
  for (const expression of RUNAWAYS) {
    await calculate({ expression: "1 + 1" });
    await calculate({ expression: "2 + 2" });
    await setTimeout(3000); // the thread that was ended is up again
    const began = performance.now();
    const said = await calculate({ expression }).then(
      ({ exact }) => exact,
      (error: Error) => error.message,
    );
    expect(performance.now() - began, expression).toBeLessThan(2000);
    expect(said.length, expression).toBeGreaterThan(0);
  }
});
