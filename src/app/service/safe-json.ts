import { exceededJsonLimit } from "../../core/json-limits.ts";
import { refuse } from "./problems.ts";

/** Nothing that a request may say is nested deeper, or has more values. */
const MOST = { depth: 32, values: 10_000 };

/**
 * Refuses JSON whose shape alone is an attack: nested so deep that it cannot be printed, of so many values that they
 * take hundreds of MB, or with a key `__proto__`.
 * Throws a problem 422; text that is not JSON is left to its reader.
 */
export function checkJson(text: string): void {
  const beyond = exceededJsonLimit(Buffer.from(text), MOST);
  if (beyond === "depth")
    throw refuse(422, "too-deep", `The body is nested deeper than ${MOST.depth} levels.`);
  if (beyond === "values")
    throw refuse(422, "too-many-values", `The body has more than ${MOST.values} values.`);
  let root: unknown;
  try {
    root = JSON.parse(text);
  } catch {
    return;
  }
  for (const left = [root]; left.length > 0; ) {
    const value = left.pop();
    if (typeof value !== "object" || value === null) continue;
    if (Object.hasOwn(value, "__proto__"))
      throw refuse(422, "wrong-request", "The body must not have a key `__proto__`.");
    left.push(...Object.values(value));
  }
}
