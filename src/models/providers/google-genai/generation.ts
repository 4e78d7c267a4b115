import type { Settings } from "../../../core/settings.ts";
import type { SettingProblem } from "../../define-provider.ts";
import type { Target } from "../../target.ts";

/** Gemini's models that accept a budget of thinking tokens but no effort. */
const BUDGET_ONLY = /^gemini-[12]\b/;

/** A setting of generation that Gemini does not support. */
export function geminiGenerationProblem(
  { model }: Target,
  { extra_body, reasoning_effort, thinking_budget }: Settings["generation"],
): SettingProblem | null {
  if (extra_body !== null)
    return {
      flag: "extra-body",
      why: "Gemini does not take it, only OpenAI-compatible servers do; leave it out.",
    };
  if (reasoning_effort === null) return null;
  if (BUDGET_ONLY.test(model))
    return {
      flag: "reasoning-effort",
      why: "this model takes a number of tokens instead; use --thinking-budget.",
    };
  if (reasoning_effort === "none" || reasoning_effort === "xhigh")
    return { flag: "reasoning-effort", why: "use minimal, low, medium or high." };
  if (thinking_budget !== null)
    return { flag: "thinking-budget", why: "use either it or --reasoning-effort." };
  return null;
}
