import { makeEvidence } from "../../../../src/core/evidence.ts";
import type { Evidence } from "../../../../src/core/shapes.ts";
import type { Script } from "../../../support/model-server.ts";
import { wordsOf } from "../../../support/shuffled.ts";
import type { Problem, ScriptedPlan } from "./problem.ts";

/** Evidence of a problem: text on the board or speech, a few seconds each. */
export function evidenceOf(problem: Problem, video: string): Evidence[] {
  const kind = problem.form === "latex" ? "equation" : "subtitle";
  return problem.items.map((text, place) =>
    makeEvidence({
      video,
      kind,
      start_s: place * 4,
      end_s: place * 4 + 3,
      text,
      ...(kind === "equation" ? { data: { latex: text } } : {}),
      by: { who: kind === "equation" ? "model" : "file", name: "made" },
      confidence: null,
      from: [],
    }),
  );
}

/** The plan as a model would write it, with the names that the items have in the prompt. */
export function planFor(plan: ScriptedPlan, prompt: string): Record<string, unknown> {
  const nameOf = (item: string) => {
    if (item === "Q") return "Q";
    const words = item.replace(/\s+/g, " ").trim();
    const line = prompt.split("\n").find((text) => text.startsWith("[E") && text.endsWith(words));
    return /^\[(E\d+)\]/.exec(line ?? "")?.[1] ?? "E99";
  };
  return {
    calculation: true,
    unknown: "what is asked",
    givens: plan.givens.map(({ item, ...rest }) => ({ ...rest, from: [nameOf(item)] })),
    facts: plan.facts ?? [],
    steps: plan.steps,
    answer: plan.answer,
    checks: plan.checks,
  };
}

/** A model that only plans, and replies that it does not know if asked for the answer itself. */
export function planner(plans: ReadonlyMap<string, ScriptedPlan>): Script {
  return (request) => {
    const prompt = wordsOf(request);
    if (!prompt.includes("You plan a calculation")) return "I cannot tell.";
    const asked = [...plans].find(([question]) => prompt.includes(question));
    return asked === undefined ? "none" : JSON.stringify(planFor(asked[1], prompt));
  };
}
