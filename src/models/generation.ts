import { Failure } from "../core/errors.ts";
import type { Settings } from "../core/settings.ts";
import type { ChatRequest } from "./chat.ts";
import type { Target } from "./target.ts";

/** OpenAI's models that think before they answer: they take neither a temperature nor log-probabilities. */
const THINKS = /^(o\d|gpt-[5-9](?!.*chat))/;
/** OpenAI's models that do not think. */
const NEVER_THINKS = /^(gpt-3|gpt-4|chatgpt-)/;
/** Gemini's models that take a budget of thinking tokens and no effort. */
const BUDGET_ONLY = /^gemini-[12]\b/;

export function thinks({ model }: Pick<Target, "model">): boolean {
  return THINKS.test(model);
}

/** OpenAI's own service, or the same on Azure: it refuses members of a body that it does not know. */
export function isOpenAI({ provider, baseUrl }: Pick<Target, "provider" | "baseUrl">): boolean {
  const host = URL.parse(baseUrl)?.hostname ?? "";
  return provider === "openai" && /(^|\.)api\.openai\.com$|\.openai\.azure\.com$/.test(host);
}

/**
 * A request with the settings of generation that were given. Settings that were not given enter neither the request nor
 * its memo key. The seed is included if it is above 0 and the temperature is above 0.
 */
export function withGeneration(request: ChatRequest, settings: Settings): ChatRequest {
  const { top_p, top_k, reasoning_effort, thinking_budget, extra_body } = settings.generation;
  const seed = request.temperature > 0 && settings.seed > 0 ? settings.seed : undefined;
  return {
    ...request,
    ...given("seed", request.seed ?? seed),
    ...given("topP", top_p),
    ...given("topK", top_k),
    ...given("reasoningEffort", reasoning_effort),
    ...given("thinkingBudget", thinking_budget),
    ...given("extraBody", extra_body),
  };
}

function given<Name extends string, Value>(name: Name, value: Value | null | undefined) {
  return value === null || value === undefined ? {} : ({ [name]: value } as Record<Name, Value>);
}

/** Servers take 32 bits. */
const SEEDS = 2 ** 31;
/** Large enough that seeds, epochs and draws of a usual size give different sums. */
const EPOCH_STEP = 1_000_003;
const DRAW_STEP = 7919;

/** The seed that is sent: that of the request in the first epoch and draw, another one in each further epoch and draw. */
export function sentSeed(
  { seed }: Pick<ChatRequest, "seed">,
  { epoch, draw = 0 }: { epoch: number; draw?: number },
): number | undefined {
  return seed === undefined ? undefined : (seed + epoch * EPOCH_STEP + draw * DRAW_STEP) % SEEDS;
}

/** Throws `Failure` `wrong-setting` for a setting of generation that the provider does not take. */
export function checkGeneration(target: Target, settings: Settings): void {
  const problem = problemWith(target, settings.generation);
  if (problem === null) return;
  const { flag, why } = problem;
  throw new Failure("wrong-setting", `Invalid \`--${flag}\` for ${target.name}: ${why}`, {
    flag,
    model: target.name,
  });
}

interface Problem {
  flag: string;
  /** A sentence. */
  why: string;
}

function problemWith(target: Target, generation: Settings["generation"]): Problem | null {
  if (target.provider === "google-genai") return problemWithGoogle(target, generation);
  return (isOpenAI(target) ? problemWithOpenAI(target, generation) : null) ?? setTwice(generation);
}

function problemWithGoogle(
  { model }: Target,
  { extra_body, reasoning_effort, thinking_budget }: Settings["generation"],
): Problem | null {
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

function problemWithOpenAI(
  target: Target,
  { top_p, top_k, reasoning_effort, thinking_budget }: Settings["generation"],
): Problem | null {
  if (top_k !== null)
    return { flag: "top-k", why: "OpenAI's own API does not take it; use --top-p." };
  if (thinking_budget !== null)
    return {
      flag: "thinking-budget",
      why: "OpenAI's own API does not take it; use --reasoning-effort.",
    };
  if (top_p !== null && thinks(target))
    return { flag: "top-p", why: "OpenAI's reasoning models do not take it; leave it out." };
  if (reasoning_effort !== null && NEVER_THINKS.test(target.model))
    return { flag: "reasoning-effort", why: "this model does not reason; leave it out." };
  return null;
}

/** Members of an extra body that another setting writes as well. */
function setTwice({ extra_body, ...rest }: Settings["generation"]): Problem | null {
  if (extra_body === null) return null;
  const template = extra_body.chat_template_kwargs;
  const named = (name: string) =>
    name in extra_body ||
    (name === "thinking_budget" &&
      typeof template === "object" &&
      template !== null &&
      ("enable_thinking" in template || "thinking_budget" in template));
  const twice = Object.entries(rest).find(([name, value]) => value !== null && named(name))?.[0];
  if (twice === undefined) return null;
  const flag = twice.replaceAll("_", "-");
  return { flag: "extra-body", why: `it sets what \`--${flag}\` sets; leave one of them out.` };
}
