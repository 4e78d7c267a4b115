import { Failure, oneLine } from "../../src/core/errors.ts";
import { isRow, type Row } from "../benchmarks/data-files.ts";
import type { createTally } from "../benchmarks/tally.ts";

/** What the fields of a record say about where it comes from. */
export type RecordFormat = "vcrbench" | "mmr-v" | "lmms-eval";

/**
 * The records of a response file: a JSON list, an object of records by id, or JSON lines. A byte order mark is
 * dropped; a half-written last line and damaged ones are counted. Throws `Failure` `data-malformed`.
 */
export function readRecords(
  text: string,
  name: string,
  tally: ReturnType<typeof createTally>,
): Row[] {
  // To JavaScript a byte order mark is white space.
  const body = text.trim();
  const whole = parse(body);
  if (whole.ok) return recordsOf(whole.value);
  if (body.startsWith("["))
    throw new Failure(
      "data-malformed",
      `Expected ${name} to be one whole JSON list, but it breaks off or is damaged: ${whole.why}`,
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
      `Expected ${name} to hold responses as a JSON list or JSON lines, but no line of it is a record.`,
      { name },
    );
  return rows;
}

function parse(text: string): { ok: true; value: unknown } | { ok: false; why: string } {
  try {
    return { ok: true, value: JSON.parse(text) };
  } catch (error) {
    return { ok: false, why: oneLine(error instanceof Error ? error.message : String(error), 120) };
  }
}

/** `{ "12": { "pred": ... } }` and `{ "12": "..." }` are records by qid; one record alone is itself. */
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

export function formatOf(record: Row): RecordFormat | null {
  if ("resps" in record || "filtered_resps" in record) return "lmms-eval";
  if (rawKeys(record).length > 0 || letterKeys(record).length > 0) return "mmr-v";
  if ("pred" in record) return "vcrbench";
  return null;
}

/** `gpt-4o_raw_response` of the released result files, `raw_response` of lines without a model's name. */
export function rawKeys(record: Row): string[] {
  return Object.keys(record).filter((key) => /(^|_)raw_response$/.test(key));
}

/** `gpt-4o_response`, an object with the letter that the inference script found. */
export function letterKeys(record: Row): string[] {
  return Object.keys(record).filter(
    (key) => key.endsWith("_response") && !rawKeys(record).includes(key) && isRow(record[key]),
  );
}
