import { Failure } from "../core/errors.ts";
import type { Role } from "../core/events.ts";
import { at, type Settings, settingLeaves } from "../core/settings.ts";

export const PROVIDERS = ["openai", "google-genai"] as const;
export type Provider = (typeof PROVIDERS)[number];

/**
 * Splits `provider:model` at the first colon; a model's own name may hold colons and slashes.
 * Throws `Failure` `unknown-model`.
 */
export function parseModelName(name: string): { provider: Provider; model: string } {
  const colon = name.indexOf(":");
  const provider = name.slice(0, Math.max(colon, 0));
  const model = name.slice(colon + 1).trim();
  const known = PROVIDERS.find((item) => item === provider);
  if (known === undefined || model === "")
    throw new Failure(
      "unknown-model",
      `Expected a model as provider:model with the provider ${PROVIDERS.join(" or ")}, such as openai:gpt-4.1 or google-genai:gemini-2.5-flash, got ${JSON.stringify(name)}.`,
      { name },
    );
  return { provider: known, model };
}

/** The model that a role uses, or null if none was given: its own, else `--model`. */
export function nameOf(settings: Settings, role: Role): string | null {
  return role === "embedder" ? embedderOf(settings) : (ownModel(settings, role) ?? settings.model);
}

/** The model that the setting of a role names. */
function ownModel(settings: Pick<Settings, "runtime">, role: Role): string | null {
  const leaf = settingLeaves().find((item) => item.role === role);
  const name = leaf === undefined ? null : at(settings, leaf.path);
  return typeof name === "string" ? name : null;
}

/** The providers' small models, which serve where no other is named. */
const EMBEDDERS: Record<Provider, string> = {
  openai: "openai:text-embedding-3-small",
  "google-genai": "google-genai:gemini-embedding-001",
};

/**
 * The model whose embeddings are searched beside the words: as named; else that of the provider of `--model` at its own
 * address. Null for `off` and for a server of one's own, of which only its owner knows what it embeds with.
 */
export function embedderOf(
  settings: Settings,
  env: NodeJS.ProcessEnv = process.env,
): string | null {
  const { model, runtime } = settings;
  const named = ownModel(settings, "embedder");
  if (named !== null) return named === "off" ? null : named;
  if (model === null || runtime.base_url !== null) return null;
  const { provider } = parseModelName(model);
  return provider === "openai" && env.OPENAI_BASE_URL ? null : EMBEDDERS[provider];
}

/** As `nameOf`; throws `Failure` `unknown-model` where none was given. */
export function modelOf(settings: Settings, role: Role): string {
  const name = nameOf(settings, role);
  if (name === null)
    throw new Failure(
      "unknown-model",
      `Expected a model for the ${role}, got none: give \`--model\` as provider:model, such as openai:gpt-4.1 or google-genai:gemini-2.5-flash.`,
      { role },
    );
  return name;
}
