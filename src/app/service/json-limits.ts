import { exceededJsonLimit } from "../../core/json-limits.ts";
import { httpProblem } from "./problems.ts";

/** Limits that no valid request exceeds. */
const MAX = { depth: 32, values: 10_000 };

/**
 * Refuses JSON that could exhaust the stack (nesting) or the memory (number of values), that has a key `__proto__`, or
 * a text with half of a surrogate pair, which many readers of JSON refuse. Throws a 422 problem. Text that is not JSON passes; the parser reports it.
 */
export function checkJson(text: string): void {
  const beyond = exceededJsonLimit(Buffer.from(text), MAX);
  if (beyond === "depth")
    throw httpProblem(
      422,
      "too-deep",
      `The request body is nested deeper than the limit of ${MAX.depth} levels.`,
    );
  if (beyond === "values")
    throw httpProblem(
      422,
      "too-many-values",
      `The request body has more values than the limit of ${MAX.values}.`,
    );
  let root: unknown;
  try {
    root = JSON.parse(text);
  } catch {
    return;
  }
  for (const left = [root]; left.length > 0; ) {
    const value = left.pop();
    if (typeof value === "string" && !value.isWellFormed())
      throw httpProblem(
        422,
        "wrong-request",
        "Invalid request body: a text has half of a surrogate pair (U+D800 to U+DFFF), such as an emoji cut in two.",
      );
    if (typeof value !== "object" || value === null) continue;
    if (Object.hasOwn(value, "__proto__"))
      throw httpProblem(
        422,
        "wrong-request",
        "Invalid request body: the key `__proto__` is not allowed.",
      );
    left.push(...Object.keys(value), ...Object.values(value));
  }
}
