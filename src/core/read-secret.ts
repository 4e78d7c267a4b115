import { readFileSync } from "node:fs";
import { Failure, systemCode } from "./errors.ts";

/**
 * The secret that the environment variable `name` holds, or that the file named by `NAME_FILE` holds, as container
 * platforms pass secrets; `variable` is the one it was read from. The file is read at each call, so that a renewed secret
 * is used at once; white space around it is removed. Null if neither variable is set.
 * Throws `Failure` `missing-key` for a file that cannot be read or is empty. Its message shows no path: callers of the
 * service may see it.
 */
export function readSecret(
  name: string,
  env: NodeJS.ProcessEnv = process.env,
): { variable: string; value: string } | null {
  const given = env[name];
  if (given !== undefined && given !== "") return { variable: name, value: given };
  const variable = `${name}_FILE`;
  const path = env[variable];
  if (path === undefined || path === "") return null;
  const value = readFile(path, variable).trim();
  if (value === "")
    throw new Failure(
      "missing-key",
      `The file that ${variable} names is empty: put the value of ${name} into it.`,
      { variable },
    );
  return { variable, value };
}

function readFile(path: string, variable: string): string {
  try {
    return readFileSync(path, "utf8");
  } catch (error) {
    const code = systemCode(error) ?? "unknown error";
    throw new Failure(
      "missing-key",
      `Cannot read the file that ${variable} names (${code}). Check its path and that this user may read it.`,
      { variable, code },
      { cause: error },
    );
  }
}
