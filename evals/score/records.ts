import { Failure, oneLine } from "../../src/core/errors.ts";
import { isRow, parseJson, type Row } from "../benchmarks/data-files.ts";
import { benchmarks } from "../benchmarks/define-benchmark.ts";
import type { createTally } from "../benchmarks/tally.ts";

/** The format of lmms-eval's sample logs. */
export const LMMS_EVAL = "lmms-eval";

/**
 * Reads the records of a response file: a JSON list, an object of records by id, or JSON lines. Removes a byte order
 * mark, and reads `NaN` and `Infinity` as null; counts damaged lines and an incomplete last line.
 * Throws `Failure` `data-malformed`.
 */
export function readRecords(
  text: string,
  name: string,
  tally: ReturnType<typeof createTally>,
): Row[] {
  // `trim` also removes a byte order mark.
  const body = withoutNonNumbers(text.trim());
  const whole = parse(body);
  if (whole.ok) return recordsOf(whole.value);
  if (body.startsWith("["))
    throw new Failure(
      "data-malformed",
      `Cannot read ${name}: the JSON list is incomplete or damaged: ${whole.why}`,
      { name },
    );
  const lines = body.split("\n");
  const rows = lines.flatMap((line, index) => {
    if (line.trim() === "") return [];
    const read = parse(line);
    if (read.ok && isRow(read.value)) return [read.value];
    tally.add(
      index === lines.length - 1 ? "half-written last line" : "damaged lines",
      `line ${index + 1}`,
    );
    return [];
  });
  if (rows.length === 0)
    throw new Failure(
      "data-malformed",
      `Cannot read ${name}: no line is a record. Use a JSON list or JSON lines.`,
      { name },
    );
  return rows;
}

/** Python's `json.dumps` writes `NaN`, `Infinity` and `-Infinity`, which are not JSON: null outside strings. */
function withoutNonNumbers(text: string): string {
  if (!/\b(?:NaN|Infinity)\b/.test(text)) return text;
  let inString = false;
  return text.replace(/\\.|["\n]|-?\b(?:NaN|Infinity)\b/g, (found) => {
    if (found === '"') inString = !inString;
    // A string does not cross a line, so that a damaged line does not change the next one.
    if (found === "\n") inString = false;
    return inString || !/[NI]/.test(found) || found.startsWith("\\") ? found : "null";
  });
}

function parse(text: string): { ok: true; value: unknown } | { ok: false; why: string } {
  try {
    return { ok: true, value: parseJson(text) };
  } catch (error) {
    return { ok: false, why: oneLine(error instanceof Error ? error.message : String(error), 120) };
  }
}

/** `{ "12": { "pred": ... } }` and `{ "12": "..." }` are records by qid; any other object is a single record. */
function recordsOf(value: unknown): Row[] {
  if (Array.isArray(value)) return value.filter(isRow);
  if (!isRow(value)) return [];
  const members = Object.values(value);
  const byId = members.every((member) => typeof member === "string" || typeof member === "object");
  if (formatOf(value) !== null || !byId) return [value];
  return Object.entries(value).map(([key, member]) =>
    isRow(member) ? { qid: key, ...member } : { qid: key, pred: member },
  );
}

/** The format of a record by its fields: `lmms-eval`, or the name of a benchmark with its own response files. */
export function formatOf(record: Row): string | null {
  if ("resps" in record || "filtered_resps" in record) return LMMS_EVAL;
  return (
    benchmarks.all().find(({ responses }) => responses.file?.matchesRecord(record))?.name ?? null
  );
}
