import { Failure, oneLine, systemCode } from "./errors.ts";
import { loadedModules } from "./loaded-modules.ts";

/**
 * What the code of a definition threw, as a failure that names the definition and, for a file of a user, the line: `The
 * strategy vote failed: TypeError: x is not a function (/home/me/vote.ts:12).` Failures, errors of the system and
 * cancellations are returned as they are.
 */
export function codeFailure(error: unknown, definition: string): unknown {
  if (error instanceof Failure || systemCode(error) !== undefined) return error;
  if (error instanceof Error && error.name === "AbortError") return error;
  const said =
    error instanceof Error ? `${error.name}: ${error.message}` : `it threw ${shown(error)}`;
  const place = placeOf(error);
  return new Failure(
    "code-failed",
    `${definition} failed: ${oneLine(said).replace(/\.$/, "")}${place === null ? "" : ` (${place})`}.`,
    { definition, place },
    { cause: error },
  );
}

/** `FILE:LINE` of the innermost call in a user's file; null if none is in one. */
function placeOf(error: unknown): string | null {
  if (!(error instanceof Error)) return null;
  const paths = new Set(loadedModules().map(({ path }) => path));
  for (const [, path = "", line] of (error.stack ?? "").matchAll(/file:\/\/(\/.+?):(\d+):\d+/g)) {
    const decoded = decodeURI(path);
    if (paths.has(decoded)) return `${decoded}:${line}`;
  }
  return null;
}

/** A thrown value that is not an error: `null`, `"too dark"`. */
function shown(value: unknown): string {
  if (typeof value === "string") return JSON.stringify(value);
  try {
    return JSON.stringify(value) ?? String(value);
  } catch {
    return `a value of type ${typeof value}`;
  }
}
