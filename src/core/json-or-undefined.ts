/** The JSON of a text; undefined if it is none. Callers count or report it. */
export function jsonOrUndefined(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return undefined;
  }
}
