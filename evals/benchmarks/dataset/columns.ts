import { z } from "zod";
import { Failure, oneLine } from "../../../src/core/errors.ts";

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
  evidence_s: [],
  steps: [],
  partial_order: [],
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
  const exact = columns.filter((column) => fold(column) === fold(role));
  if (exact.length === 1) return exact[0];
  const others: readonly string[] = NAMES[role];
  const like =
    exact.length > 1 ? exact : columns.filter((column) => others.map(fold).includes(fold(column)));
  if (like.length <= 1) return like[0];
  throw new Failure(
    "data-malformed",
    `Several columns of ${file} may hold the ${role} (${like.join(", ")}): name the right one, for example with --columns ${role}=${like[0]}.`,
    { file, role, columns: like },
  );
}

function fold(name: string): string {
  return name.toLowerCase().replace(/[\s_-]/g, "");
}

const LETTERED = /^(?:(?:option|choice|candidate|opt)?([a-z]))$/;
const NUMBERED = /^(?:option|choice|candidate|opt|a)(\d{1,2})$/;

/** `A`, `B`, ... or `option_a`, ... or `option_1`, ...: at least two, without a gap from the first. */
function optionColumns(columns: readonly string[]): Columns["options"] {
  const lettered = run(columns, (name) => {
    const letter = LETTERED.exec(name)?.[1];
    return letter === undefined ? null : letter.charCodeAt(0) - "a".charCodeAt(0);
  });
  if (lettered.length >= 2)
    return lettered.map((column, place) => ({ column, letter: letterAt(place) }));
  const numberOf = (name: string) => {
    const digits = NUMBERED.exec(name)?.[1];
    return digits === undefined ? null : Number(digits);
  };
  const [from0, from1] = [run(columns, numberOf), run(columns, (name) => less(numberOf(name)))];
  const numbered = from0.length >= 2 ? from0 : from1;
  return numbered.length >= 2 ? numbered.map((column) => ({ column, letter: null })) : [];
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

export function letterAt(place: number): string {
  return String.fromCharCode("A".charCodeAt(0) + place);
}
