import { Failure } from "../core/errors.ts";
import { readSecret } from "../core/read-secret.ts";
import { HEADER_VALUE, NOT_IN_A_HEADER, readHeaders, replyLimitsOf } from "../core/settings.ts";
import type { ModelService } from "./define-provider.ts";
import { fullName, parseModelName, serviceOf } from "./name.ts";
import { isSecretName } from "./secret-name.ts";
import type { Address, Target } from "./server.ts";

export type { Address, Target } from "./server.ts";

/** The `runtime` settings that say where and how a model is reached. */
export interface ServerSettings {
  base_url: string | null;
  headers?: string | null;
  max_reply_mb?: number;
  max_reply_header_kb?: number;
  /** The flag that set `base_url`, for messages. Default: `--base-url`. */
  url_flag?: string;
}

/** Whether keys are in the environment of this process, which calls the model, or of another one, which does. */
export type KeyPlace = "here" | "elsewhere";

/** Sent to compatible servers, which accept any key. */
const NO_KEY = "no-key";
/**
 * Shorter keys are placeholders for servers without keys, such as `x` or `ollama`: not secret, and part of many words.
 */
const SHORTEST_KEY = 8;

/**
 * Finds where a model is served, the key for it and the headers to send. `base_url` null: the address in the provider's
 * environment variable, else its own service. A compatible server at another address needs no key, nor does one whose
 * key is given as a header. With keys elsewhere, the target has none and cannot be called. Throws `Failure` `unknown-model`,
 * `missing-key` (naming the variable; see `readSecret` for a key in a file), or `wrong-setting` for an address that is no
 * http URL.
 */
export function findTarget(
  name: string,
  runtime: ServerSettings,
  env: NodeJS.ProcessEnv = process.env,
  keys: KeyPlace = "here",
): Target {
  const { base_url } = runtime;
  const given = keys === "here" ? (runtime.headers ?? null) : null;
  const parsed = parseModelName(name);
  const { server, key: keyRules } = serviceOf(parsed);
  const { variables } = keyRules;
  const own = ownAddress(server, base_url, env);
  const headers = readHeaders(given, env);
  const secret = firstSecret(variables, env);
  const keyVariable = secret?.variable ?? variables[0] ?? null;
  // A header given by `--header` replaces the key's own.
  const needsNone =
    keys === "elsewhere" ||
    keyVariable === null ||
    (server.isCompatible === true && own !== null) ||
    keyRules.header in headers;
  // A line break after it is not sent, and the key would not be found in a server's message.
  const key = secret?.value.trim() || (needsNone ? NO_KEY : "");
  if (key === "")
    throw new Failure(
      "missing-key",
      `No key for ${name}: set the environment variable ${variables.join(" or ")}.`,
      { name, variable: keyVariable },
    );
  if (!HEADER_VALUE.test(key))
    throw new Failure(
      "missing-key",
      `Cannot use the key for ${name}: the environment variable ${keyVariable} is ${NOT_IN_A_HEADER}.`,
      { name, variable: keyVariable },
    );
  return {
    ...parsed,
    name: fullName(name),
    baseUrl: checkUrl(own ?? server.home, runtime.url_flag),
    key,
    keyVariable,
    headers,
    limits: replyLimitsOf(runtime),
    ...(runtime.url_flag === undefined ? {} : { urlFlag: runtime.url_flag }),
  };
}

function firstSecret(variables: readonly string[], env: NodeJS.ProcessEnv) {
  for (const variable of variables) {
    const secret = readSecret(variable, env);
    if (secret !== null) return secret;
  }
  return null;
}

/** What must not be repeated from a server's message: the key, and each header's value and its long words. */
export function secretsOf({ key, headers }: Pick<Target, "key" | "headers">): string[] {
  const values = Object.values(headers);
  const words = [key, ...values.flatMap((value) => value.split(/\s+/))];
  return [...values, ...words.filter((word) => word.length >= SHORTEST_KEY)].sort(
    (a, b) => b.length - a.length,
  );
}

function ownAddress(
  { variable }: ModelService["server"],
  baseUrl: string | null,
  env: NodeJS.ProcessEnv,
): string | null {
  return baseUrl ?? ((variable !== undefined && env[variable]) || null);
}

/** Where a model is served, without the key. Throws as `findTarget`, but never `missing-key`. */
export function findAddress(
  name: string,
  baseUrl: string | null,
  env: NodeJS.ProcessEnv = process.env,
): Address {
  const parsed = parseModelName(name);
  const { server } = serviceOf(parsed);
  return {
    provider: parsed.provider,
    baseUrl: checkUrl(ownAddress(server, baseUrl, env) ?? server.home),
  };
}

function checkUrl(text: string, flag = "--base-url"): string {
  const url = URL.parse(text);
  if (url === null || (url.protocol !== "http:" && url.protocol !== "https:"))
    throw new Failure(
      "wrong-setting",
      `Invalid ${flag} ${JSON.stringify(text)}: use an http or https address, for example http://127.0.0.1:8000/v1.`,
      { given: text },
    );
  if (url.username !== "" || url.password !== "")
    throw new Failure(
      "wrong-setting",
      `Invalid ${flag}: the address of ${url.host} contains a password. Put the key into the environment instead.`,
    );
  const secret = [...url.searchParams.keys()].find(isSecretName);
  if (secret !== undefined)
    throw new Failure(
      "wrong-setting",
      `Invalid ${flag}: the address of ${url.host} contains a key (${secret}), and addresses are stored with every run. Put the key into the environment, or send it as a header: --header NAME=$VARIABLE.`,
      { name: secret },
    );
  return text.trim().replace(/\/+$/, "");
}
