import { Failure } from "../errors.ts";
import { readSecret } from "../read-secret.ts";

/** Headers that the HTTP client sets itself. */
const OWN = new Set(["host", "content-length", "content-type", "transfer-encoding", "connection"]);

/** Messages never show the given value: a shell that expanded the variable has put the secret there. */
export const HEADERS =
  "NAME=$VARIABLE, with the name of an environment variable, such as 'X-Api-Key=$GATEWAY_KEY' (in single quotes, so that the shell does not expand it); separate several by commas";

/** What HTTP accepts as the value of a header. */
export const HEADER_VALUE = /^[\t\x20-\x7e\x80-\xff]+$/;
export const NOT_IN_A_HEADER = "not valid in a header (a line break, or a character above U+00FF)";

/** Header names with the environment variables of their values; null for any other format. */
export function headerVariables(given: string): Map<string, string> | null {
  const found = new Map<string, string>();
  for (const item of given.split(",")) {
    const [, name, variable] =
      /^\s*([!#$%&'*+.^_`|~0-9A-Za-z-]+)=\$(?:([A-Za-z_][A-Za-z0-9_]*)|\{([A-Za-z_][A-Za-z0-9_]*)\})\s*$/
        .exec(item)
        ?.filter((part) => part !== undefined) ?? [];
    if (name === undefined || variable === undefined) return null;
    if (OWN.has(name.toLowerCase())) return null;
    found.set(name.toLowerCase(), variable);
  }
  return found;
}

/**
 * The headers of `runtime.headers` with their values from the environment (see `readSecret`). Never log or store them.
 * Throws `Failure` `missing-key` that names a variable that is not set or whose value is not valid in a header.
 */
export function readHeaders(
  given: string | null,
  env: NodeJS.ProcessEnv = process.env,
): Record<string, string> {
  if (given === null) return {};
  const headers: Record<string, string> = {};
  for (const [name, variable] of headerVariables(given) ?? []) {
    const value = readSecret(variable, env)?.value.trim() ?? "";
    if (!HEADER_VALUE.test(value))
      throw new Failure(
        "missing-key",
        `Cannot send the header ${name}: the environment variable ${variable} is ${value === "" ? "not set" : NOT_IN_A_HEADER}.`,
        { header: name, variable },
      );
    headers[name] = value;
  }
  return headers;
}
