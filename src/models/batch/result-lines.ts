import { unusable } from "../attempt.ts";
import type { BatchResult } from "./batch-api.ts";

/** The name of the request, which a damaged line may still have. */
const OF_RESULT = /"(?:custom_id|key)"/;

const DAMAGED: BatchResult = { key: null, reply: null };

/**
 * Reads a file of results, one a line; `read` returns null for a line that is damaged. Throws `AttemptError` `unusable`
 * if no line of the file can be read: it has another format.
 */
export function readResultLines(
  text: string,
  read: (line: string) => BatchResult | null,
): BatchResult[] {
  const lines = text.split("\n").filter((line) => line.trim() !== "");
  const results = lines.map((line) => read(line) ?? DAMAGED);
  const isNone =
    results.every(({ key }) => key === null) && !lines.some((line) => OF_RESULT.test(line));
  if (lines.length > 0 && isNone) throw unusable("not a line of results");
  return results;
}
