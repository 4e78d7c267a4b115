import { Failure } from "../core/errors.ts";
import type { Role } from "../core/events.ts";
import type { Settings } from "../core/settings.ts";

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

/** The model that a role uses, or null where none was given: its own, else `--model`. */
export function nameOf(settings: Settings, role: Role): string | null {
  const { model, recognition, reasoning, search } = settings;
  switch (role) {
    case "recogniser":
      return recognition.model ?? model;
    case "reasoner":
      return reasoning.model ?? model;
    case "verifier":
      return search.verifier ?? model;
    case "judge":
      return model;
    case "embedder":
      return embedderOf(settings);
  }
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
  { model, search, runtime }: Settings,
  env: NodeJS.ProcessEnv = process.env,
): string | null {
  if (search.embeddings !== null) return search.embeddings === "off" ? null : search.embeddings;
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
