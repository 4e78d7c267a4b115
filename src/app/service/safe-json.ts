import { refuse } from "./problems.ts";

/** Nothing that a request may say is nested deeper. */
const DEEPEST = 32;

/**
 * Refuses JSON whose shape alone is an attack: nested so deep that it cannot be printed, or with a key `__proto__`.
 * Throws a problem 422; text that is not JSON is left to its reader.
 */
export function checkJson(text: string): void {
  let root: unknown;
  try {
    root = JSON.parse(text);
  } catch {
    return;
  }
  let level: unknown[] = [root];
  for (let depth = 0; level.length > 0; depth++) {
    if (depth > DEEPEST)
      throw refuse(422, "too-deep", `The body is nested deeper than ${DEEPEST} levels.`);
    const members = level.filter(
      (value) => typeof value === "object" && value !== null,
    ) as object[];
    if (members.some((value) => Object.hasOwn(value, "__proto__")))
      throw refuse(422, "wrong-request", "The body must not have a key `__proto__`.");
    level = members.flatMap((value) => Object.values(value));
  }
}
