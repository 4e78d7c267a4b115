import type { Settings } from "../../../core/settings.ts";
import type { SettingProblem } from "../../define-provider.ts";
import { flaggedMember } from "../../extra-body.ts";
import type { Target } from "../../target.ts";

/** OpenAI's models that think before they answer: they accept neither a temperature nor log-probabilities. */
const THINKS = /^(o\d(?![a-z\d])|gpt-[5-9](?!.*chat))/;
/** OpenAI's models that do not think. */
const NEVER_THINKS = /^(gpt-3|gpt-4|chatgpt-)/;

/** Whether a model thinks; also a fine-tuned one, and one that a gateway serves as `openai/gpt-5`. */
export function thinks({ model }: Pick<Target, "model">): boolean {
  return THINKS.test(baseModel(model));
}

/** The model without the path of a gateway, the `ft:` of a fine-tuned model, and what is after a colon. */
function baseModel(model: string): string {
  return /^(?:[^:]*\/)?(?:ft:)?([^:]*)/.exec(model)?.[1] ?? model;
}

/** OpenAI's own service, or the same on Azure: it refuses members of a body that it does not know. */
export function isOpenAI({ baseUrl }: Pick<Target, "baseUrl">): boolean {
  const host = URL.parse(baseUrl)?.hostname ?? "";
  return /(^|\.)api\.openai\.com$|\.openai\.azure\.com$/.test(host);
}

/** A setting of generation that OpenAI's own API does not support, or that `--extra-body` sets instead of its flag. */
export function openaiGenerationProblem(
  target: Target,
  generation: Settings["generation"],
): SettingProblem | null {
  return (
    (isOpenAI(target) ? problemWithOpenAI(target, generation) : null) ?? setElsewhere(generation)
  );
}

function problemWithOpenAI(
  target: Target,
  { top_p, top_k, reasoning_effort, thinking_budget }: Settings["generation"],
): SettingProblem | null {
  if (top_k !== null)
    return { flag: "top-k", why: "OpenAI's own API does not take it; use --top-p." };
  if (thinking_budget !== null)
    return {
      flag: "thinking-budget",
      why: "OpenAI's own API does not take it; use --reasoning-effort.",
    };
  if (top_p !== null && thinks(target))
    return { flag: "top-p", why: "OpenAI's reasoning models do not take it; leave it out." };
  if (reasoning_effort !== null && NEVER_THINKS.test(baseModel(target.model)))
    return { flag: "reasoning-effort", why: "this model does not reason; leave it out." };
  return null;
}

/** A member of an extra body that another setting writes, or whose value its own flag takes. */
function setElsewhere({ extra_body, ...rest }: Settings["generation"]): SettingProblem | null {
  if (extra_body === null) return null;
  const template = extra_body.chat_template_kwargs;
  const named = (name: string) =>
    name in extra_body ||
    (name === "thinking_budget" &&
      typeof template === "object" &&
      template !== null &&
      ("enable_thinking" in template || "thinking_budget" in template));
  const twice = Object.entries(rest).find(([name, value]) => value !== null && named(name))?.[0];
  if (twice === undefined) return flaggedMember(extra_body, ["top_p", "top_k", "reasoning_effort"]);
  const flag = twice.replaceAll("_", "-");
  return { flag: "extra-body", why: `it sets what \`--${flag}\` sets; leave one of them out.` };
}
