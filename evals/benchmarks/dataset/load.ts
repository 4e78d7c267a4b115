import { stat } from "node:fs/promises";
import { basename, dirname, resolve } from "node:path";
import { Failure, oneLine } from "../../../src/core/errors.ts";
import { hashOf } from "../../../src/core/hash.ts";
import type { Task } from "../../../src/core/shapes.ts";
import { readTable, type Table } from "../read-table.ts";
import type { BenchmarkData, Note, Sample } from "../sample.ts";
import { createTally, noteText } from "../tally.ts";
import { type AnswerForm, answerReader, type ChoiceRow } from "./answers.ts";
import { textOf } from "./cells.ts";
import { type ColumnNames, type Columns, columnList, findColumns } from "./columns.ts";
import { findFilesIn } from "./find-files.ts";
import { type GroupColumn, groupColumns, isMarked } from "./groups.ts";
import { type RowCells, readCells, TASK_NAMES } from "./read-rows.ts";
import { type Reading, readSample } from "./read-sample.ts";

/** How to read a file, if it cannot be detected. */
export interface DataSettings {
  columns?: ColumnNames;
  answers?: AnswerForm;
  group?: string[];
  /** Absolute folder that video and subtitle paths start from; default: the folder of the file. */
  videos?: string;
}

/**
 * Reads a data file. Rows that cannot be read are left out and counted in the notes, with their places and the reasons. Throws
 * `Failure` `not-found`, `file-unreadable`, `data-malformed`.
 */
export async function loadDataset(path: string, settings: DataSettings): Promise<BenchmarkData> {
  const file = basename(path);
  await refuseFolder(path);
  const table = await readTable(path);
  const columns = findColumns(table.columns, settings.columns ?? {}, file, (column) =>
    isTaskColumn(table, column),
  );
  const tally = createTally(MOST_NAMED);
  const unread = (place: string, why: string, detail?: string) =>
    tally.add(`rows left out: ${why}`, detail === undefined ? place : `${place} (${detail})`);
  for (const { place, why } of table.damaged) unread(place, "not readable", why);
  const rows = table.rows.flatMap((row): RowCells[] => {
    const read = readCells(row, columns, table.textOnly);
    if (typeof read !== "string") return [read];
    unread(row.place, read);
    return [];
  });
  const tasks = new Set(rows.map(({ task }) => task));
  const groups = groupColumns(table, columns.others, settings.group, file);
  const folder = settings.videos ?? dirname(resolve(path));
  const reading: Reading = {
    files: findFilesIn(folder),
    rightOption: answerReader(choicesOf(rows), settings.answers, file),
    answers: settings.answers,
    groups,
    groupByTask: tasks.size > 1 && !groups.some(({ column }) => isMarked(column)),
    tally,
  };
  const placeOf = new Map(table.rows.map(({ row }, place) => [row, place]));
  const samples = new Map<string, Sample>();
  const places = new Map<string, number>();
  for (const row of rows) {
    const id = idOf(row, columns);
    if (row.cells.id === null) tally.add("rows without an id, named by their place", row.place);
    if (samples.has(id)) {
      unread(row.place, "the id is that of an earlier row", id);
      continue;
    }
    const read = await readSample(row, id, reading);
    if (typeof read === "string") {
      unread(row.place, read, answerOf(row));
      continue;
    }
    samples.set(id, { id, ...read, row: rowOf(row, id) });
    places.set(id, placeOf.get(row.source) ?? samples.size - 1);
  }
  const notes = tally.notes();
  if (samples.size === 0) throw nothingRead(file, table, notes);
  const { columns: names = {}, answers } = settings;
  const changed = Object.keys(names).length > 0 || answers !== undefined;
  return {
    samples: [...samples.values()],
    places,
    notes,
    folder,
    packed: null,
    files: [file],
    // Read in another way, the same file contains other questions.
    hash: changed ? hashOf([table.hash, names, answers ?? null]) : table.hash,
    reading: describe(columns, groups, [...samples.values()]),
  };
}

/** Most rows of one kind that the notes name. */
const MOST_NAMED = 20;

/** The answer of a row, shortened for a message. */
function answerOf({ cells: { answer } }: RowCells): string | undefined {
  return answer == null ? undefined : `answer ${oneLine(JSON.stringify(answer), 60)}`;
}

async function refuseFolder(path: string): Promise<void> {
  const kind = await stat(path).catch((error: unknown) => {
    throw new Failure(
      "not-found",
      `Cannot open the data file ${path}: there is no such file.`,
      { path },
      { cause: error },
    );
  });
  if (!kind.isDirectory()) return;
  throw new Failure(
    "wrong-usage",
    `${path} is a folder: give the data file in it, such as ${path.replace(/\/$/, "")}/data.jsonl.`,
    { path },
  );
}

/** A column called `task` selects how questions are asked only if all its values are tasks. */
function isTaskColumn({ rows }: Table, column: string): boolean {
  return rows.every(({ row }) => {
    const value = textOf(row[column]);
    return value === null || TASK_NAMES.includes(value.toLowerCase());
  });
}

function choicesOf(rows: readonly RowCells[]): ChoiceRow[] {
  return rows.flatMap(({ place, task, options, cells: { answer } }): ChoiceRow[] => {
    const said = textOf(Array.isArray(answer) && answer.length === 1 ? answer[0] : answer);
    return task !== "choice" || options === null || said === null
      ? []
      : [{ place, options, answer: said }];
  });
}

function idOf({ place, cells: { id } }: RowCells, columns: Columns): string {
  if (columns.of.id === undefined) return place.replace(/^\D+/, "");
  return textOf(id) ?? place.replace(" ", "-");
}

/** The row of the file, with id, video and question under the names that match replies with questions. */
function rowOf({ source, cells }: RowCells, id: string): Sample["row"] {
  return {
    ...source,
    id,
    ...(cells.video == null ? {} : { video: cells.video }),
    ...(cells.question == null ? {} : { question: cells.question }),
  };
}

function nothingRead(file: string, { columns }: Table, notes: readonly Note[]): Failure {
  return new Failure(
    "data-malformed",
    `No row of ${file} could be read (${notes.map(noteText).join(", ")}). Its columns are ${columnList(columns)}; expected are video, question, answer, and where they apply id, options, goal, subtitles, evidence_s.`,
    { file, columns },
  );
}

function describe(
  { of, options }: Columns,
  groups: readonly GroupColumn[],
  samples: readonly Sample[],
): string[] {
  const count = (task: Task) => samples.filter((sample) => sample.task === task).length;
  const tasks = [...new Set(samples.map(({ task }) => task))];
  const single = options.map(({ column }) => column);
  const named = [
    ...Object.entries(of).map(([role, column]) => (role === column ? role : `${role}=${column}`)),
    ...(single.length === 0 ? [] : [`options=${single[0]} to ${single.at(-1)}`]),
  ];
  const kinds = groups.map(({ kind }) => {
    const values = new Set(samples.flatMap((sample) => sample.groups?.[kind] ?? []));
    return `${kind} (${values.size})`;
  });
  return [
    `${samples.length} questions: ${tasks.map((task) => `${count(task)} ${task}`).join(", ")}`,
    `columns: ${named.join(", ")}`,
    `groups: ${kinds.length === 0 ? "none" : kinds.join(", ")}`,
  ];
}
