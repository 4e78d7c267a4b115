import type { Task } from "../../../src/core/shapes.ts";
import type { TableRow } from "../read-table.ts";
import { cellOf, numbersOf, textOf } from "./cells.ts";
import { type Columns, columnsLike, optionColumns, type Role } from "./columns.ts";
import { type RowOptions, readOptions } from "./options.ts";

/* Reads the rows of a data file and finds the task of each. */

export const TASK_NAMES: readonly string[] = ["choice", "order", "open"] satisfies Task[];

export interface RowCells {
  place: string;
  /** As in the file. */
  source: TableRow["row"];
  cells: Partial<Record<Role, unknown>>;
  options: RowOptions | null;
  task: Task;
}

/** The cells of a row by role, or the reason why the row cannot be read. */
export function readCells(
  { place, row }: TableRow,
  columns: Columns,
  textOnly: boolean,
): RowCells | string {
  const cells = Object.fromEntries(
    Object.entries(columns.of).map(([role, column]) => [role, cellOf(row[column], textOnly)]),
  ) as RowCells["cells"];
  const options = readOptions(
    columns.options.length === 0 ? cells.options : fromColumns(row, columns.options),
  );
  if (typeof options === "string") return options;
  const task = taskOf(cells, options);
  if (task === "choice" && options === null) return "no options";
  return { place, source: row, cells, options, task };
}

/** The options of a record of a result file, in columns with their usual names; null if none can be read. */
export function recordOptions(record: TableRow["row"]): RowOptions["options"] | null {
  const columns = Object.keys(record);
  const [column] = columnsLike("options", columns);
  const given = column === undefined ? fromColumns(record, optionColumns(columns)) : record[column];
  const read = readOptions(given);
  return read === null || typeof read === "string" ? null : read.options;
}

/** Options from one column each; empty cells at the end are not options. */
function fromColumns(row: TableRow["row"], columns: Columns["options"]): unknown {
  const values = columns.map(({ column, letter }) => ({ letter, text: textOf(row[column]) }));
  const last = values.findLastIndex(({ text }) => text !== null);
  const texts = values.slice(0, last + 1).map(({ text }) => text ?? "");
  if (texts.length === 0) return null;
  return columns[0]?.letter === null
    ? texts
    : Object.fromEntries(texts.map((text, place) => [values[place]?.letter ?? "", text]));
}

function taskOf(cells: RowCells["cells"], options: RowOptions | null): Task {
  const given = textOf(cells.task)?.toLowerCase();
  if (given !== undefined && TASK_NAMES.includes(given)) return given as Task;
  if (options !== null) return "choice";
  const isList = Array.isArray(cells.answer) && cells.answer.length > 1;
  const hasGoal = cells.goal !== undefined && cells.goal !== null;
  return (isList || hasGoal) && isOrder(numbersOf(cells.answer)) ? "order" : "open";
}

/** Whether the numbers are 1 to n, or 0 to n - 1, each once. */
function isOrder(numbers: number[] | null): boolean {
  if (numbers === null || numbers.length < 2) return false;
  const sorted = [...numbers].sort((a, b) => a - b);
  const [first = 2] = sorted;
  return first <= 1 && sorted.every((number, place) => number === first + place);
}
