import { Failure } from "../core/errors.ts";
import type { Role } from "../core/events.ts";
import { listSettings, type Settings, valueAt } from "../core/settings.ts";
import { type ModelService, type ProviderDefinition, providers } from "./define-provider.ts";

/**
 * Splits `provider:model` at the first colon; a model's own name may contain colons and slashes. Of a provider that
 * reaches several services, `model` begins with the service, and the provider's own name may be left out. Throws
 * `Failure` `unknown-model`.
 */
export function parseModelName(name: string): { provider: string; model: string } {
  const found = findModelName(name);
  if (found !== null) return found;
  throw new Failure(
    "unknown-model",
    `Unknown model ${JSON.stringify(name)}: use provider:model, for example ${examples()}, with one of the providers ${prefixes().join(", ")}.`,
    { name, providers: providers.names() },
  );
}

function findModelName(name: string): { provider: string; model: string } | null {
  const [prefix, model] = splitAtColon(name);
  const provider = providers.find(prefix);
  if (provider === undefined) return findService(name, providers.all());
  if (provider.services !== undefined) return findService(model, [provider]);
  const named = provider.modelName?.(model) ?? model;
  return named === "" ? null : { provider: prefix, model: named };
}

/** `service:model` of one of the providers. */
function findService(
  model: string,
  among: readonly ProviderDefinition[],
): { provider: string; model: string } | null {
  const [service, rest] = splitAtColon(model);
  const provider = among.find(({ services }) => services && Object.hasOwn(services, service));
  return provider === undefined || rest === ""
    ? null
    : { provider: provider.name, model: model.trim() };
}

function splitAtColon(text: string): [before: string, after: string] {
  const colon = text.indexOf(":");
  return [text.slice(0, Math.max(colon, 0)), text.slice(colon + 1).trim()];
}

/** The service of a model. `model` is as `parseModelName` returns it. */
export function serviceOf({ provider, model }: { provider: string; model: string }): ModelService {
  const definition = providers.get(provider);
  if (definition.services === undefined) return definition;
  const service = definition.services[splitAtColon(model)[0]];
  if (service === undefined)
    throw new Failure("unknown-model", `Unknown model ${JSON.stringify(`${provider}:${model}`)}.`);
  return service;
}

/** The name of that service: the provider's, if it is the only one. */
export function serviceName({ provider, model }: { provider: string; model: string }): string {
  return providers.get(provider).services === undefined ? provider : splitAtColon(model)[0];
}

/** The one name that a model has in records, prices and memo keys: with its provider. Unknown names are left as they are. */
export function fullName(name: string): string {
  const found = findModelName(name);
  return found === null ? name : `${found.provider}:${found.model}`;
}

/** A model's own name, without provider and service; null for a model of an unknown provider. */
export function ownName(name: string): string | null {
  const found = findModelName(name);
  if (found === null) return null;
  const hasServices = providers.get(found.provider).services !== undefined;
  return hasServices ? splitAtColon(found.model)[1] : found.model;
}

/** The model that a role uses, or null if none was given: its own, else `--model`, which never transcribes. */
export function nameOf(settings: Settings, role: Role): string | null {
  const name =
    role === "embedder"
      ? embedderOf(settings)
      : (ownModel(settings, role) ?? (role === "transcriber" ? null : settings.model));
  return name === null ? null : fullName(name);
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
  const parsed = parseModelName(model);
  const { name, embeddings } = providers.get(parsed.provider);
  const { server } = serviceOf(parsed);
  const isElsewhere = server.variable !== undefined && Boolean(env[server.variable]);
  return isElsewhere || embeddings === undefined ? null : `${name}:${embeddings.model}`;
}

/** As `nameOf`; throws `Failure` `unknown-model` if none was given. */
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

/** Everything that may be before the colon. */
function prefixes(): string[] {
  return [
    ...new Set([
      ...providers.names(),
      ...providers.all().flatMap(({ services = {} }) => Object.keys(services)),
    ]),
  ];
}

function examples(): string {
  return providers
    .all()
    .map(({ example }) => example)
    .join(" or ");
}
