import { z } from "zod";
import { parseTable, type TableRow } from "../../../evals/benchmarks/read-table.ts";
import type { UploadRow } from "../../core/contracts.ts";
import { describeExpected } from "../../core/describe-issue.ts";
import { isFailure, oneLine } from "../../core/errors.ts";
import { jsonOrUndefined } from "../../core/json-or-undefined.ts";
import { TASKS } from "../../core/shapes.ts";
import { NewQuestion } from "./api.ts";
import { MAX_ROWS, type RowError } from "./api-bulk.ts";
import { httpProblem } from "./problems.ts";
import type { QuestionRecord } from "./question-record.ts";
import { callerSettings } from "./request-settings.ts";

/* Questions in a table: one row for each, with the columns video, question, options, task, goal and settings. */

type Format = ".csv" | ".jsonl";

/** The format of a table by its media type; null: not a table. */
export function tableFormat(type: string): Format | null {
  if (/^text\/csv\b/i.test(type)) return ".csv";
  return /^application\/(?:x-ndjson|jsonl|x-jsonlines)\b/i.test(type) ? ".jsonl" : null;
}

/** A row that was read: the video that it names, and the record of its question. */
export interface AskedRow {
  place: string;
  upload: UploadRow;
  record: QuestionRecord;
}

/** Wrong rows have errors; `row` says where they are. */
export interface ReadRows {
  asked: AskedRow[];
  errors: RowError[];
}

/** The rows of a table. Throws a 422 problem for a text that is no table, or has too many rows. */
export function rowsOf(text: string, format: Format): { rows: TableRow[]; errors: RowError[] } {
  const { rows, damaged } = parsed(text, format);
  checkSize(rows.length + damaged.length);
  return {
    rows,
    errors: damaged.map(({ place, why }) => ({ row: place, column: null, detail: `${why}.` })),
  };
}

/** Throws a 422 problem for no or too many rows. */
export function checkSize(rows: number): void {
  if (rows >= 1 && rows <= MAX_ROWS) return;
  throw httpProblem(
    422,
    "wrong-rows",
    rows === 0
      ? "There are no rows. Send a header and at least one row."
      : `Too many rows: ${rows}. Send at most ${MAX_ROWS} at once.`,
  );
}

function parsed(text: string, format: Format) {
  try {
    return parseTable(text, format);
  } catch (error) {
    const why = oneLine(error instanceof Error ? error.message : String(error), 200);
    throw httpProblem(422, "wrong-rows", `Cannot read the rows: ${why.replace(/[.:]$/, "")}.`);
  }
}

const COLUMNS = ["video", "question", "options", "task", "goal", "settings"] as const;
const Options = z.array(z.string().min(1)).min(2).max(26);

/** The error of one cell; `column` null: of the whole row. */
class CellError extends Error {
  readonly column: string | null;
  constructor(column: string | null, message: string) {
    super(message);
    this.column = column;
  }
}

/** Reads rows about the caller's videos. `plan` makes the record of a question, or refuses it by throwing. */
export async function readRows(
  rows: readonly TableRow[],
  videos: readonly UploadRow[],
  plan: (upload: UploadRow, question: NewQuestion) => Promise<QuestionRecord>,
): Promise<ReadRows> {
  const read: ReadRows = { asked: [], errors: [] };
  const settings = new Map(callerSettings().map((setting) => [setting.path, setting]));
  for (const { place, row } of rows)
    try {
      const cells = Object.entries(row).filter(([, value]) => value !== null && value !== "");
      const unknown = cells.find(
        ([name]) => !COLUMNS.some((column) => column === name) && !settings.has(name),
      );
      if (unknown !== undefined)
        throw new CellError(
          unknown[0],
          `is not a column. Use ${COLUMNS.join(", ")}, or a setting that GET /api/v1/service lists.`,
        );
      const cell = Object.fromEntries(cells);
      const upload = videoNamed(videos, cell.video);
      const record = await plan(upload, questionIn(cell, settings));
      read.asked.push({ place, upload, record });
    } catch (error) {
      read.errors.push({ row: place, ...problemOf(error) });
    }
  return read;
}

function videoNamed(videos: readonly UploadRow[], given: unknown): UploadRow {
  if (typeof given !== "string")
    throw new CellError("video", "is missing. Use the id or the name of one of your videos.");
  const byId = videos.find(({ id }) => id === given);
  if (byId !== undefined) return byId;
  const [only, second] = videos.filter(({ name }) => name === given);
  if (only !== undefined && second === undefined) return only;
  throw new CellError(
    "video",
    only === undefined
      ? `names no video: ${JSON.stringify(given.slice(0, 100))}. Use the id or the name of one of your videos.`
      : `names several videos: ${JSON.stringify(given.slice(0, 100))}. Use the id.`,
  );
}

function questionIn(
  cell: Record<string, unknown>,
  known: ReadonlyMap<string, ReturnType<typeof callerSettings>[number]>,
): NewQuestion {
  const settings = {
    ...objectIn(cell.settings),
    ...Object.fromEntries(
      Object.entries(cell).flatMap(([name, value]) => {
        const setting = known.get(name);
        return setting === undefined ? [] : [[name, typed(value, setting.kind)]];
      }),
    ),
  };
  const text = cell.question ?? "";
  const given = {
    text: typeof text === "number" ? String(text) : text,
    ...(cell.options === undefined ? {} : { options: optionsIn(cell.options) }),
    ...(cell.task === undefined ? {} : { task: cell.task }),
    ...(cell.goal === undefined ? {} : { goal: cell.goal }),
    ...(Object.keys(settings).length === 0 ? {} : { settings }),
  };
  const read = NewQuestion.safeParse(given);
  if (read.success) return read.data;
  const [issue] = read.error.issues;
  const member = String(issue?.path[0] ?? "question");
  const expected = member === "task" ? `one of ${TASKS.join(", ")}` : describeExpected(issue);
  throw new CellError(member === "text" ? "question" : member, `must be ${expected}.`);
}

/** A list, JSON of a list, or a text separated by `|`. */
function optionsIn(value: unknown): string[] {
  const list =
    typeof value !== "string"
      ? value
      : value.trimStart().startsWith("[")
        ? jsonOrUndefined(value)
        : value.split("|").map((option) => option.trim());
  const texts = Array.isArray(list)
    ? list.map((option) => (typeof option === "number" ? String(option) : option))
    : list;
  const read = Options.safeParse(texts);
  if (read.success) return read.data;
  throw new CellError("options", "must be a list of 2 to 26 texts, or texts separated by |.");
}

function objectIn(value: unknown): Record<string, unknown> {
  if (value === undefined) return {};
  const object = typeof value === "string" ? jsonOrUndefined(value) : value;
  if (typeof object === "object" && object !== null && !Array.isArray(object))
    return object as Record<string, unknown>;
  throw new CellError("settings", 'must be an object such as {"recognition.frames": 8}.');
}

/** The value of a cell: every cell of CSV is a text. */
function typed(value: unknown, kind: string): unknown {
  if (typeof value !== "string") return value;
  if (kind === "number" && value.trim() !== "" && !Number.isNaN(Number(value)))
    return Number(value);
  if (kind === "boolean" && /^(?:true|false)$/i.test(value.trim()))
    return value.trim().toLowerCase() === "true";
  return value;
}

/** What is wrong with a row. Throws errors of the service itself. */
function problemOf(error: unknown): Omit<RowError, "row"> {
  if (error instanceof CellError)
    return { column: error.column, detail: `"${error.column ?? "row"}" ${error.message}` };
  if (isFailure(error)) {
    const { path } = error.facts;
    return { column: typeof path === "string" ? path : null, detail: error.message };
  }
  if (error instanceof Error && "status" in error && Number(error.status) < 500)
    return { column: null, detail: error.message };
  throw error;
}
