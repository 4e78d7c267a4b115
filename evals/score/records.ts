import { Failure, oneLine, toFailure } from "../../src/core/errors.ts";
import { isRow, parseJson, type Row } from "../benchmarks/data-files.ts";
import { benchmarks } from "../benchmarks/define-benchmark.ts";
import { parseTable } from "../benchmarks/read-table.ts";
import type { createTally } from "../benchmarks/tally.ts";

/** The format of lmms-eval's sample logs. */
export const LMMS_EVAL = "lmms-eval";
export const LMMS_EVAL_FIELDS = "doc_id and filtered_resps";

/**
 * Reads the records of a response file: a JSON list, an object that has one list of records, an object of records by id,
 * JSON lines, or CSV by the extension of `name`. Removes a byte order mark, and reads `NaN` and `Infinity` as null; counts
 * damaged lines and an incomplete last line. Throws `Failure` `data-malformed`.
 */
export function readRecords(
  text: string,
  name: string,
  tally: ReturnType<typeof createTally>,
): Row[] {
  if (/\.(?:csv|tsv)$/i.test(name)) return separatedRecords(text, name, tally);
  // `trim` also removes a byte order mark.
  const body = text.trim();
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
      `Cannot read ${name}: no line is a record. Use a JSON list, JSON lines or CSV.`,
      { name },
    );
  return rows;
}

function separatedRecords(
  text: string,
  name: string,
  tally: ReturnType<typeof createTally>,
): Row[] {
  // A tab at the beginning or end separates an empty cell.
  const body = text.replace(/^\uFEFF/, "").replace(/^\s*\n/, "");
  try {
    const { rows, damaged } = parseTable(body, ".csv");
    for (const { place, why } of damaged) tally.add("damaged lines", `${place}: ${why}`);
    return rows.map(({ row }) => row);
  } catch (error) {
    throw toFailure(error, "data-malformed", `reading ${name}`);
  }
}

function parse(text: string): { ok: true; value: unknown } | { ok: false; why: string } {
  try {
    return { ok: true, value: parseJson(text) };
  } catch (error) {
    return { ok: false, why: oneLine(error instanceof Error ? error.message : String(error), 120) };
  }
}

/**
 * `{ "args": ..., "logs": [{ ... }] }` has a list of records, `{ "12": { "pred": ... } }` and `{ "12": "..." }` are records
 * by qid; any other object is a single record.
 */
function recordsOf(value: unknown): Row[] {
  if (Array.isArray(value)) return value.filter(isRow);
  if (!isRow(value)) return [];
  const members = Object.values(value);
  const lists = members.filter((member) => Array.isArray(member) && member.some(isRow));
  if (formatOf(value) === null && lists.length === 1) return (lists[0] as unknown[]).filter(isRow);
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
