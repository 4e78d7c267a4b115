import { Failure, isFailure } from "../../core/errors.ts";
import { callerSettings, parseRequestSettings } from "../service/request-settings.ts";
import type { McpHost } from "./host.ts";

/**
 * The settings of a client by path. Only those that a caller may set are accepted. Throws `Failure` `wrong-setting`,
 * `unknown-model`.
 */
export function readClientSettings(
  given: Record<string, unknown>,
  own: McpHost["own"],
): Record<string, unknown> {
  const paths = callerSettings().map(({ path }) => path);
  for (const path of Object.keys(given))
    if (!paths.includes(path))
      throw new Failure(
        "wrong-setting",
        `A client cannot set ${JSON.stringify(path.slice(0, 100))}. It can set: ${paths.join(", ")}.`,
        { path: path.slice(0, 100) },
      );
  try {
    return parseRequestSettings(given, own);
  } catch (error) {
    if (!isFailure(error, "unknown-model")) throw error;
    throw new Failure(
      "unknown-model",
      "This model is not allowed. Leave the setting out, or ask the operator to start the server with --allow-model.",
      error.facts,
      { cause: error },
    );
  }
}
