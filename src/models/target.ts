import { Failure } from "../core/errors.ts";
import { type ReplyLimits, readHeaders, replyLimitsOf } from "../core/settings.ts";
import { type Provider, parseModelName } from "./name.ts";

/** A model, where it is served, and the key that opens it. Never to be logged or kept as a whole. */
export interface Target {
  /** `provider:model`. */
  name: string;
  provider: Provider;
  model: string;
  /** Without a slash at the end. */
  baseUrl: string;
  key: string;
  /** Environment variable from which a key is read. */
  keyVariable: string;
  /** Headers of `--header` with their values, which are secrets. Names are in lower case. */
  headers: Readonly<Record<string, string>>;
  limits: ReplyLimits;
}

/** The `runtime` settings that say where and how a model is reached. */
export interface ServerSettings {
  base_url: string | null;
  headers?: string | null;
  max_reply_mb?: number;
  max_reply_header_kb?: number;
}

const HOME: Record<Provider, string> = {
  openai: "https://api.openai.com/v1",
  "google-genai": "https://generativelanguage.googleapis.com",
};
const KEYS: Record<Provider, readonly [string, ...string[]]> = {
  openai: ["OPENAI_API_KEY"],
  "google-genai": ["GOOGLE_API_KEY", "GEMINI_API_KEY"],
};
/** The header that a key is sent in; one given by `--header` takes its place. */
const KEY_HEADER: Record<Provider, string> = {
  openai: "authorization",
  "google-genai": "x-goog-api-key",
};
/** Sent to servers of one's own, which take any key. */
const NO_KEY = "no-key";
/** Shorter ones are what servers without keys are given, such as `x` or `ollama`: no secret, and part of many words. */
const SHORTEST_KEY = 8;

/**
 * Finds where a model is served, the key for it and the headers that go along.
 * `base_url` null: `OPENAI_BASE_URL` for OpenAI, else the provider's own address.
 * A server of one's own (OpenAI with any base URL), and one whose key is a header, need no key.
 * Throws `Failure` `unknown-model`, `missing-key` (naming the variable), or `wrong-setting` for an address that is no http URL.
 */
export function findTarget(
  name: string,
  runtime: ServerSettings,
  env: NodeJS.ProcessEnv = process.env,
): Target {
  const { base_url, headers: given = null } = runtime;
  const { provider, model } = parseModelName(name);
  const own = ownAddress(provider, base_url, env);
  const headers = readHeaders(given, env);
  const keyVariable = KEYS[provider].find((variable) => env[variable]) ?? KEYS[provider][0];
  const needsNone = (provider === "openai" && own !== null) || KEY_HEADER[provider] in headers;
  const key = env[keyVariable] || (needsNone ? NO_KEY : "");
  if (key === "")
    throw new Failure(
      "missing-key",
      `Expected a key for ${name} in the environment variable ${KEYS[provider].join(" or ")}, which is not set.`,
      { name, variable: keyVariable },
    );
  const address = checkUrl(own ?? HOME[provider]);
  const limits = replyLimitsOf(runtime);
  return { name, provider, model, baseUrl: address, key, keyVariable, headers, limits };
}

/** What must not be repeated from a server's words: the key, and each header's value and its long words. */
export function secretsOf({ key, headers }: Pick<Target, "key" | "headers">): string[] {
  const values = Object.values(headers);
  const words = [key, ...values.flatMap((value) => value.split(/\s+/))];
  return [...values, ...words.filter((word) => word.length >= SHORTEST_KEY)].sort(
    (a, b) => b.length - a.length,
  );
}

function ownAddress(
  provider: Provider,
  baseUrl: string | null,
  env: NodeJS.ProcessEnv,
): string | null {
  return baseUrl ?? (provider === "openai" ? env.OPENAI_BASE_URL || null : null);
}

/** Where a model is served, without the key. Throws as `findTarget`, but never `missing-key`. */
export function findAddress(
  name: string,
  baseUrl: string | null,
  env: NodeJS.ProcessEnv = process.env,
): Pick<Target, "provider" | "baseUrl"> {
  const { provider } = parseModelName(name);
  return { provider, baseUrl: checkUrl(ownAddress(provider, baseUrl, env) ?? HOME[provider]) };
}

/** Whether a server is not the provider's own. */
export function isOwnServer({ provider, baseUrl }: Pick<Target, "provider" | "baseUrl">): boolean {
  return baseUrl !== HOME[provider];
}

function checkUrl(text: string): string {
  const url = URL.parse(text);
  if (url === null || (url.protocol !== "http:" && url.protocol !== "https:"))
    throw new Failure(
      "wrong-setting",
      `Expected \`--base-url\` to be an http or https address such as http://127.0.0.1:8000/v1, got ${JSON.stringify(text)}.`,
      { given: text },
    );
  if (url.username !== "" || url.password !== "")
    throw new Failure(
      "wrong-setting",
      `Expected \`--base-url\` to be an address without a password, got one for ${url.host}: put the key into the environment instead.`,
    );
  return text.replace(/\/+$/, "");
}
