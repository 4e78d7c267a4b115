import { Failure } from "../core/errors.ts";
import type { Role } from "../core/events.ts";
import { listSettings, type Settings, valueAt } from "../core/settings.ts";
import { providers } from "./define-provider.ts";

/**
 * Splits `provider:model` at the first colon; a model's own name may hold colons and slashes.
 * Throws `Failure` `unknown-model`.
 */
export function parseModelName(name: string): { provider: string; model: string } {
  const colon = name.indexOf(":");
  const provider = name.slice(0, Math.max(colon, 0));
  const model = name.slice(colon + 1).trim();
  if (providers.find(provider) === undefined || model === "")
    throw new Failure(
      "unknown-model",
      `Unknown model ${JSON.stringify(name)}: use provider:model, for example ${examples()}.`,
      { name, providers: providers.names() },
    );
  return { provider, model };
}

/** The model that a role uses, or null if none was given: its own, else `--model`. */
export function nameOf(settings: Settings, role: Role): string | null {
  return role === "embedder" ? embedderOf(settings) : (ownModel(settings, role) ?? settings.model);
}

/** The model that the setting of a role names. */
function ownModel(settings: Pick<Settings, "runtime">, role: Role): string | null {
  const setting = listSettings().find((item) => item.role === role);
  const name = setting === undefined ? null : valueAt(settings, setting.path);
  return typeof name === "string" ? name : null;
}

/**
 * The model whose embeddings are searched in addition to the words: as named; else the default of the provider of
 * `--model` at its own address. Null for `off`, and for another server, whose models are not known.
 */
export function embedderOf(
  settings: Settings,
  env: NodeJS.ProcessEnv = process.env,
): string | null {
  const { model, runtime } = settings;
  const named = ownModel(settings, "embedder");
  if (named !== null) return named === "off" ? null : named;
  if (model === null || runtime.base_url !== null) return null;
  const { name, server, embeddings } = providers.get(parseModelName(model).provider);
  const isElsewhere = server.variable !== undefined && Boolean(env[server.variable]);
  return isElsewhere || embeddings === undefined ? null : `${name}:${embeddings.model}`;
}

/** As `nameOf`; throws `Failure` `unknown-model` where none was given. */
export function modelOf(settings: Settings, role: Role): string {
  const name = nameOf(settings, role);
  if (name === null)
    throw new Failure(
      "unknown-model",
      `No model configured for the ${role}. Pass --model, for example --model ${providers.all()[0]?.example}.`,
      { role },
    );
  return name;
}

function examples(): string {
  return providers
    .all()
    .map(({ example }) => example)
    .join(" or ");
}
