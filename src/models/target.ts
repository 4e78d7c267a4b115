import { Failure } from "../core/errors.ts";
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
}

const HOME: Record<Provider, string> = {
  openai: "https://api.openai.com/v1",
  "google-genai": "https://generativelanguage.googleapis.com",
};
const KEYS: Record<Provider, readonly [string, ...string[]]> = {
  openai: ["OPENAI_API_KEY"],
  "google-genai": ["GOOGLE_API_KEY", "GEMINI_API_KEY"],
};
/** Sent to servers of one's own, which take any key. */
const NO_KEY = "no-key";

/**
 * Finds where a model is served and the key for it.
 * `baseUrl` null: `OPENAI_BASE_URL` for OpenAI, else the provider's own address.
 * A server of one's own (OpenAI with any base URL) needs no key.
 * Throws `Failure` `unknown-model`, `missing-key` (naming the variable), or `wrong-setting` for an address that is no http URL.
 */
export function findTarget(
  name: string,
  baseUrl: string | null,
  env: NodeJS.ProcessEnv = process.env,
): Target {
  const { provider, model } = parseModelName(name);
  const own = ownAddress(provider, baseUrl, env);
  const keyVariable = KEYS[provider].find((variable) => env[variable]) ?? KEYS[provider][0];
  const key = env[keyVariable] || (provider === "openai" && own !== null ? NO_KEY : "");
  if (key === "")
    throw new Failure(
      "missing-key",
      `Expected a key for ${name} in the environment variable ${KEYS[provider].join(" or ")}, which is not set.`,
      { name, variable: keyVariable },
    );
  const address = checkUrl(own ?? HOME[provider]);
  return { name, provider, model, baseUrl: address, key, keyVariable };
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
