import { z } from "zod";
import { NAME } from "./engine-tasks.ts";
import { LONGEST_EXPRESSION } from "./validate-expression.ts";

/*
 * The calculation that a model plans. The model chooses the steps; the engine calculates.
 */

const Latex = z.string().trim().min(1).max(LONGEST_EXPRESSION);
const Name = z
  .string()
  .trim()
  .max(20)
  .regex(NAME, "a name of one letter, such as x, \\alpha or r_{1}");

const Given = z.object({
  name: Name,
  /** The value, in LaTeX. */
  latex: Latex,
  /** Names of evidence (`E3`), or `Q` for the question. */
  from: z.array(z.string().trim()).min(1).max(8),
});

const Step = z.discriminatedUnion("do", [
  z.object({ do: z.literal("calculate"), name: Name, expression: Latex }),
  z.object({
    do: z.literal("solve"),
    equations: z.array(Latex).min(1).max(8),
    for: z.array(Name).min(1).max(8),
    /** Evidence that contains the equations. */
    from: z.array(z.string().trim()).max(8).default([]),
  }),
]);

export const Plan = z.discriminatedUnion("calculation", [
  z.object({ calculation: z.literal(false) }),
  z.object({
    calculation: z.literal(true),
    unknown: z.string().trim().min(1).max(400),
    givens: z.array(Given).max(32).default([]),
    facts: z.array(z.string().max(300)).max(12).default([]),
    steps: z.array(Step).min(1).max(16),
    /** An expression in the names of givens and steps. */
    answer: Latex,
    /** Relations that the results must satisfy, each in another form than the step that produced them. */
    checks: z.array(Latex).min(1).max(6),
  }),
]);
export type Plan = z.output<typeof Plan>;
export type CalculationPlan = Extract<Plan, { calculation: true }>;
export type PlanStep = CalculationPlan["steps"][number];
