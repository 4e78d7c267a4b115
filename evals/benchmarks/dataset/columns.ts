import { z } from "zod";
import { Failure, oneLine } from "../../../src/core/errors.ts";
import { letterAt } from "../options.ts";

/* The roles of the columns of a data file, such as `question` and `answer`. */

/** Role -> other column names for it, compared without case, `_`, `-` and spaces. */
const NAMES = {
  id: ["question_id", "qid", "uid", "sample_id"],
  video: ["video_path", "video_file", "video_name", "video_id"],
  question: ["query", "prompt"],
  options: ["candidates", "choices"],
  answer: ["gt", "label", "correct_answer", "ground_truth", "target", "answers"],
  goal: [],
  subtitles: ["subtitle", "subtitle_path", "subtitles_path"],
  subtitles_from_s: [],
  evidence_s: [],
  steps: [],
  partial_order: [],
  pairs: [],
  task: [],
} as const satisfies Record<string, readonly string[]>;
export type Role = keyof typeof NAMES;
export const ROLES = Object.keys(NAMES) as Role[];

/** `question=q,answer=label`, or an object. */
export const ColumnNames = z
  .union([
    z.record(z.string(), z.string()),
    z
      .union([z.string(), z.array(z.string())])
      .transform((given) => [given].flat().flatMap((text) => text.split(",")))
      .pipe(z.array(z.string().regex(/^\s*[^=\s]+\s*=\s*\S.*$/)))
      .transform((parts) =>
        Object.fromEntries(
          parts.map((part) => {
            const at = part.indexOf("=");
            return [part.slice(0, at).trim(), part.slice(at + 1).trim()];
          }),
        ),
      ),
  ])
  .pipe(z.partialRecord(z.enum(ROLES), z.string().min(1)));
export type ColumnNames = z.infer<typeof ColumnNames>;

export interface Columns {
  /** Role -> name of the column in the file. */
  of: Partial<Record<Role, string>>;
  /** Columns with one option each, in order, such as `option_a`; empty without such columns. */
  options: { column: string; letter: string | null }[];
  /** Columns without a role. */
  others: string[];
}

/**
 * Finds the columns by their names. Throws `Failure` `data-malformed` if a named column is missing, if several columns fit
 * one role, or if the file has no column for the video, the question (or goal) or the answer.
 */
export function findColumns(
  columns: readonly string[],
  named: ColumnNames,
  file: string,
  isTaskColumn: (column: string) => boolean,
): Columns {
  const missing = Object.entries(named).find(([, column]) => !columns.includes(column));
  if (missing !== undefined)
    throw new Failure(
      "data-malformed",
      `Cannot read ${file} with --columns ${missing.join("=")}: it has no column ${missing[1]}. Its columns are ${columnList(columns)}.`,
      { file, columns },
    );
  const given: Partial<Record<Role, string>> = named;
  const free = columns.filter((column) => !Object.values(given).includes(column));
  const options = given.options === undefined ? optionColumns(free) : [];
  const of = Object.fromEntries(
    ROLES.flatMap((role): [Role, string][] => {
      const column = given[role] ?? found(role, free, file);
      if (column === undefined || (role === "task" && !isTaskColumn(column))) return [];
      return [[role, column]];
    }),
  ) as Columns["of"];
  const needed: [Role, boolean][] = [
    ["video", of.video !== undefined],
    ["question", of.question !== undefined || of.goal !== undefined],
    ["answer", of.answer !== undefined],
  ];
  const lacking = needed.find(([, there]) => !there)?.[0];
  if (lacking !== undefined)
    throw new Failure(
      "data-malformed",
      `Cannot read ${file}: no column for the ${lacking} (${[lacking, ...NAMES[lacking]].join(", ")}). Its columns are ${columnList(columns)}. Name the right one with --columns ${lacking}=NAME.`,
      { file, columns, lacking },
    );
  const single = of.options === undefined ? options : [];
  const used = new Set([...Object.values(of), ...single.map(({ column }) => column)]);
  return { of, options: single, others: columns.filter((column) => !used.has(column)) };
}

function found(role: Role, columns: readonly string[], file: string): string | undefined {
  const like = columnsLike(role, columns);
  if (like.length <= 1) return like[0];
  throw new Failure(
    "data-malformed",
    `Several columns of ${file} may hold the ${role} (${like.join(", ")}): name the right one, for example with --columns ${role}=${like[0]}.`,
    { file, role, columns: like },
  );
}

/** The columns with the name of a role, else those with another usual name of it. */
export function columnsLike(role: Role, columns: readonly string[]): string[] {
  const exact = columns.filter((column) => fold(column) === fold(role));
  const others: readonly string[] = NAMES[role];
  return exact.length > 0
    ? exact
    : columns.filter((column) => others.map(fold).includes(fold(column)));
}

function fold(name: string): string {
  return name.toLowerCase().replace(/[\s_-]/g, "");
}

/** What may be in front of the letter or number of an option, in order of precedence. */
const OPTION_NAMES = ["option", "choice", "candidate", "opt"];

/**
 * `option_a`, ... or `option_1`, ..., else `A`, `B`, ... or `a1`, ...: at least two, without a gap from the first, and all
 * with the same word.
 */
export function optionColumns(columns: readonly string[]): Columns["options"] {
  const families = [
    ...OPTION_NAMES.flatMap((word) => [lettered(columns, word), numbered(columns, word)]),
    ...[lettered(columns, ""), numbered(columns, "a")],
  ];
  return families.find(({ length }) => length >= 2) ?? [];
}

function lettered(columns: readonly string[], word: string): Columns["options"] {
  const found = run(columns, (name) => {
    const letter = /^[a-z]$/.exec(after(word, name))?.[0];
    return letter === undefined ? null : letter.charCodeAt(0) - "a".charCodeAt(0);
  });
  return found.map((column, place) => ({ column, letter: letterAt(place) }));
}

function numbered(columns: readonly string[], word: string): Columns["options"] {
  const numberOf = (name: string) => {
    const digits = /^\d{1,2}$/.exec(after(word, name))?.[0];
    return digits === undefined ? null : Number(digits);
  };
  const from0 = run(columns, numberOf);
  const found = from0.length >= 2 ? from0 : run(columns, (name) => less(numberOf(name)));
  return found.map((column) => ({ column, letter: null }));
}

/** What follows a word at the start of a name; empty if the name does not begin with it. */
function after(word: string, name: string): string {
  return name.startsWith(word) ? name.slice(word.length) : "";
}

function less(number: number | null): number | null {
  return number === null ? null : number - 1;
}

/** The columns with places 0, 1, 2, ... without a gap. */
function run(columns: readonly string[], placeOf: (name: string) => number | null): string[] {
  const at = new Map(columns.map((column) => [placeOf(fold(column)), column]));
  const found: string[] = [];
  for (let place = 0; at.has(place); place++) found.push(at.get(place) as string);
  return found;
}

/** The names of columns for a message, without control characters and shortened, because they come from a file. */
export function columnList(columns: readonly string[]): string {
  return oneLine(columns.join(", ").replace(/\p{Cc}/gu, " "), 400);
}
