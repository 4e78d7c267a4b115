import { Failure } from "../core/errors.ts";
import type { Settings } from "../core/settings.ts";
import type { ChatRequest } from "./chat.ts";
import { providers, type SettingProblem } from "./define-provider.ts";
import { isSecretName } from "./secret-name.ts";
import type { Target } from "./target.ts";

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

/** Servers accept 32 bits. */
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

/** A secret in the extra body, which is stored with every run and shown in reports. */
function storedSecret({ extra_body }: Settings["generation"]): SettingProblem | null {
  const name = secretName(extra_body);
  if (name === undefined) return null;
  const why = `the value of \`${name}\` would be stored; send it with \`--header NAME=$VARIABLE\`, which stores the name only.`;
  return { flag: "extra-body", why };
}

function secretName(value: unknown): string | undefined {
  if (typeof value !== "object" || value === null) return undefined;
  for (const [name, inner] of Object.entries(value)) {
    // Other values are descriptions, such as a JSON schema with a member `token`.
    const isText = [inner].flat().some((value) => typeof value === "string");
    const isSecret = isText && isSecretName(name);
    const found = isSecret ? name : secretName(inner);
    if (found !== undefined) return found;
  }
  return undefined;
}

/**
 * Throws `Failure` `wrong-setting` for a setting of generation that the provider does not support, and for an extra body
 * with a key or a password.
 */
export function checkGeneration(target: Target, settings: Settings): void {
  const { generationProblem } = providers.get(target.provider);
  const { generation } = settings;
  const problem = generationProblem(target, generation) ?? storedSecret(generation);
  if (problem === null) return;
  const { flag, why } = problem;
  throw new Failure("wrong-setting", `Invalid \`--${flag}\` for ${target.name}: ${why}`, {
    flag,
    model: target.name,
  });
}
