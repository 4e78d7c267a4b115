import { readFile } from "node:fs/promises";
import { basename, extname } from "node:path";
import { parse as parseCsv } from "csv-parse/sync";
import { Failure, oneLine, toFailure } from "../../src/core/errors.ts";
import { sha256 } from "../../src/core/hash.ts";
import { decodeText } from "../../tools/speech/subtitles/decode-text.ts";
import {
  hasLongNumbers,
  isRow,
  parquetRows,
  parseJson,
  plainIntegers,
  type Row,
} from "./data-files.ts";
import { TABLE_FILES } from "./table-files.ts";

/* Rows of one data file that a person wrote or exported, in any common format and encoding. */

export interface Table {
  rows: TableRow[];
  /** Rows that could not be parsed. */
  damaged: { place: string; why: string }[];
  /** Names of the columns in the order of the file. */
  columns: string[];
  /** Whether every cell is a text, so that lists are JSON in a cell. */
  textOnly: boolean;
  /** SHA-256 of the file. */
  hash: string;
}

export interface TableRow {
  /** `line 12` of JSON lines; `row 12` of other formats, counted from 1 without a header. */
  place: string;
  row: Row;
}

type Parsed = Pick<Table, "rows" | "damaged"> & { columns?: string[]; textOnly?: boolean };

/** Parquet is not a text. */
type TextFile = Exclude<(typeof TABLE_FILES)[number], ".parquet">;

type Reader = (text: string) => Parsed | Promise<Parsed>;

const READERS = {
  ".jsonl": jsonLines,
  ".ndjson": jsonLines,
  ".json": (text: string) => (isJsonLines(text) ? jsonLines(text) : listed(parseJson(text))),
  ".csv": separated,
  ".tsv": separated,
  ".yaml": yaml,
  ".yml": yaml,
} satisfies Readonly<Record<TextFile, Reader>>;

/**
 * Reads JSON lines, JSON or YAML (a list of objects, or an object that holds one such list), CSV (separated by comma,
 * semicolon or tab) or Parquet, by the extension. Texts may be UTF-8, UTF-16 or in a Windows code page, with or without a
 * byte order mark. Throws `Failure` `not-found`, `file-unreadable`, `data-malformed`.
 */
export async function readTable(path: string): Promise<Table> {
  const name = basename(path);
  const extension = extname(path).toLowerCase();
  const reader = Object.hasOwn(READERS, extension) ? READERS[extension as TextFile] : undefined;
  if (reader === undefined && extension !== ".parquet")
    throw new Failure(
      "data-malformed",
      `Cannot read ${name}: use a file that ends in ${TABLE_FILES.join(", ")}.`,
      { path },
    );
  const bytes = await readFile(path).catch((error: unknown) => {
    throw toFailure(error, "file-unreadable", `reading ${path}`);
  });
  const parsed = await parse(bytes, reader).catch((error: unknown) => {
    const why = oneLine(error instanceof Error ? error.message : String(error), 160);
    throw new Failure(
      "data-malformed",
      `Cannot read ${name}: ${why.replace(/[.:]$/, "")}.`,
      { path },
      { cause: error },
    );
  });
  const { rows, columns = [...new Set(rows.flatMap(({ row }) => Object.keys(row)))] } = parsed;
  if (rows.length === 0) throw empty(name, parsed.damaged[0]);
  return { ...parsed, columns, textOnly: parsed.textOnly ?? false, hash: sha256(bytes) };
}

/** The rows of a text in one of these formats. Throws `Error` if it has another format. */
export function parseTable(text: string, format: ".jsonl" | ".csv"): Omit<Table, "hash"> {
  const { rows, damaged, columns, textOnly = false } = READERS[format](text);
  return {
    ...{ rows, damaged, textOnly },
    columns: columns ?? [...new Set(rows.flatMap(({ row }) => Object.keys(row)))],
  };
}

async function parse(bytes: Uint8Array, reader: Reader | undefined): Promise<Parsed> {
  if (reader !== undefined) return reader(decodeText(bytes).text);
  const rows = await parquetRows(bytes);
  return { rows: numbered(rows.map(plainDates)), damaged: [] };
}

function empty(name: string, damaged: Table["damaged"][number] | undefined): Failure {
  const why =
    damaged === undefined
      ? "it has no rows"
      : `no row could be read (${damaged.place}: ${damaged.why})`;
  return new Failure("data-malformed", `Cannot read ${name}: ${why}.`, { name });
}

function numbered(rows: readonly Row[]): TableRow[] {
  return rows.map((row, index) => ({ place: `row ${index + 1}`, row }));
}

/** A day without a time of day. */
const MIDNIGHT = /T00:00:00\.000Z$/;

function plainDates(row: Row): Row {
  return Object.fromEntries(
    Object.entries(row).map(([name, value]) => [
      name,
      value instanceof Date ? value.toISOString().replace(MIDNIGHT, "") : value,
    ]),
  );
}

function jsonLines(text: string): Parsed {
  const rows: TableRow[] = [];
  const damaged: Table["damaged"] = [];
  for (const [index, line] of text.split(/\r\n|\n|\r/).entries()) {
    if (line.trim() === "") continue;
    const place = `line ${index + 1}`;
    try {
      const value = parseJson(line);
      if (isRow(value)) rows.push({ place, row: value });
      else damaged.push({ place, why: "it is not a JSON object" });
    } catch (error) {
      damaged.push({ place, why: oneLine(error instanceof Error ? error.message : "", 100) });
    }
  }
  return { rows, damaged };
}

/** Whether a `.json` file has JSON lines, as Hugging Face's `to_json` writes it: its first line is one of several objects. */
function isJsonLines(text: string): boolean {
  const [first = "", second] = text.split("\n", 3).filter((line) => line.trim() !== "");
  if (second === undefined || !first.trim().startsWith("{")) return false;
  try {
    return isRow(parseJson(first));
  } catch {
    // The first line of one JSON value over several lines.
    return false;
  }
}

/** As of JSON: integers that a number cannot hold are texts. */
async function yaml(text: string): Promise<Parsed> {
  const { parse: parseYaml } = await import("yaml");
  const value: unknown = hasLongNumbers(text)
    ? plainIntegers(parseYaml(text, { intAsBigInt: true }))
    : parseYaml(text);
  return listed(value);
}

function listed(value: unknown): Parsed {
  const items = listIn(value);
  const rows: TableRow[] = [];
  const damaged: Table["damaged"] = [];
  for (const [index, item] of items.entries()) {
    const place = `row ${index + 1}`;
    if (isRow(item)) rows.push({ place, row: item });
    else damaged.push({ place, why: "it is not an object" });
  }
  return { rows, damaged };
}

function listIn(value: unknown): unknown[] {
  if (Array.isArray(value)) return value;
  const lists = isRow(value)
    ? Object.entries(value).filter(([, one]) => Array.isArray(one) && one.some(isRow))
    : [];
  const [only, ...more] = lists;
  if (only !== undefined && more.length === 0) return only[1] as unknown[];
  throw new Error(
    only === undefined
      ? "it must hold a list of objects"
      : `it holds several lists of objects (${lists.map(([name]) => name).join(", ")}), and must hold one`,
  );
}

function separated(text: string): Parsed {
  const [, declared, rest = text] = /^sep=(.)\r?\n([\s\S]*)$/.exec(text) ?? [];
  const records: string[][] = parseCsv(rest, {
    delimiter: declared ?? separatorOf(rest),
    relax_column_count: true,
    relax_quotes: true,
    skip_empty_lines: true,
  });
  const [header = [], ...body] = records;
  // Spreadsheets write columns and rows of empty cells.
  const used = header
    .map((name, at) => ({ name: name.trim(), at }))
    .filter(({ name, at }) => name !== "" || !body.every((cells) => isBlank(cells[at])));
  const columns = used.map(({ name }) => name);
  const twice = columns.find((name, place) => columns.indexOf(name) !== place);
  if (twice !== undefined) throw new Error(`two columns have the name ${JSON.stringify(twice)}`);
  const rows: TableRow[] = [];
  const damaged: Table["damaged"] = [];
  for (const [index, cells] of body.entries()) {
    if (cells.every(isBlank)) continue;
    const place = `row ${index + 1}`;
    if (cells.length === header.length)
      rows.push({
        place,
        row: Object.fromEntries(used.map(({ name, at }) => [name, cells[at] ?? ""])),
      });
    else damaged.push({ place, why: `${cells.length} cells for ${header.length} columns` });
  }
  return { rows, damaged, columns, textOnly: true };
}

function isBlank(cell: string | undefined): boolean {
  return cell === undefined || cell.trim() === "";
}

/** The separator that is most frequent in the header, outside quotation marks. */
function separatorOf(text: string): string {
  const [header = ""] = text.replace(/"(?:[^"]|"")*"/g, "").split(/\r?\n/, 1);
  const [best = ","] = [",", ";", "\t"]
    .map((sign) => [sign, header.split(sign).length] as const)
    .sort((a, b) => b[1] - a[1])
    .map(([sign]) => sign);
  return best;
}
