import { readFile } from "node:fs/promises";
import { basename, dirname } from "node:path";
import { z } from "zod";
import { writeAtomically } from "../../src/core/atomic-file.ts";
import { describeExpected } from "../../src/core/describe-issue.ts";
import { Failure, toFailure } from "../../src/core/errors.ts";
import { jsonOrUndefined } from "../../src/core/json-or-undefined.ts";
import { makeFolder } from "../../src/storage/make-folder.ts";

/*
 * A file of marks: JSON lines, one for each question, after an optional first line that names the data and the rule. A
 * list of a person needs only `id` and `marked`.
 */

const MarksHeader = z.looseObject({
  format: z.literal("video-rrd-marks"),
  version: z.literal(1),
  benchmark: z.string(),
  /** SHA-256 of the data. */
  data: z.string().nullable(),
  subset: z.string().nullable(),
  /** Results that have to be right: all, or at least this many. */
  right_in: z.union([z.literal("all"), z.int().min(1)]),
  made_by: z.string(),
});
export type MarksHeader = z.infer<typeof MarksHeader>;

const Check = z.looseObject({
  /** Name of the run. */
  check: z.string(),
  strategy: z.string(),
  model: z.string().nullable(),
  /** Results that are right, that exist, that were planned, and that have to be right. */
  right: z.int(),
  asked: z.int(),
  planned: z.int(),
  needed: z.int(),
  /** Probability that a guess is right at least as often as needed; null for open questions. */
  chance: z.number().nullable(),
  /** Null: too few results to decide. */
  marked: z.boolean().nullable(),
});
export type Check = z.infer<typeof Check>;

const Mark = z.looseObject({
  /** Id of the question. */
  id: z.string().min(1),
  /** Null: not decided. */
  marked: z.boolean().nullable(),
  reasons: z.array(z.string()).default([]),
  checks: z.array(Check).default([]),
});
export type Mark = z.infer<typeof Mark>;

/** The marks of a set by id of the question. */
export interface Marks {
  /** Name of the file. */
  name: string;
  header: MarksHeader | null;
  marks: ReadonlyMap<string, Mark>;
}

/** Writes marks; atomic. Throws `Failure` `disk-full`, `file-unreadable`. */
export async function writeMarks(
  file: string,
  header: MarksHeader,
  marks: readonly Mark[],
): Promise<void> {
  const lines = [header, ...marks].map((line) => `${JSON.stringify(line)}\n`);
  await makeFolder(dirname(file));
  await writeAtomically(file, lines.join(""));
}

/** Reads marks. Throws `Failure` `file-unreadable`, `data-malformed` that names the line. */
export async function readMarks(file: string): Promise<Marks> {
  const name = basename(file);
  const text = await readFile(file, "utf8").catch((error: unknown) => {
    throw toFailure(error, "file-unreadable", `reading ${file}`);
  });
  const lines = text
    .replace(/^\uFEFF/, "")
    .split("\n")
    .map((line, index) => ({ line: line.trim(), number: index + 1 }))
    .filter(({ line }) => line !== "");
  const marks = new Map<string, Mark>();
  let header: MarksHeader | null = null;
  for (const [place, { line, number }] of lines.entries()) {
    const value = jsonOrUndefined(line);
    if (place === 0 && typeof value === "object" && value !== null && "format" in value) {
      header = checked(MarksHeader, value, name, number);
      continue;
    }
    const mark = checked(Mark, value, name, number);
    if (marks.has(mark.id))
      throw new Failure(
        "data-malformed",
        `Cannot read line ${number} of ${name}: the question ${JSON.stringify(mark.id)} is there twice. Keep one line for each question.`,
        { name, line: number },
      );
    marks.set(mark.id, mark);
  }
  if (marks.size > 0) return { name, header, marks };
  throw new Failure("data-malformed", `${name} holds no marks: write one JSON line per question.`, {
    name,
  });
}

function checked<T>(schema: z.ZodType<T>, value: unknown, name: string, number: number): T {
  const read = schema.safeParse(value);
  if (read.success) return read.data;
  const [issue] = read.error.issues;
  const where = issue?.path.length ? `\`${issue.path.join(".")}\`` : "the line";
  throw new Failure(
    "data-malformed",
    `Cannot read line ${number} of ${name} as a mark: ${where} must be ${describeExpected(issue)}. Use lines such as {"id": "q1", "marked": true}.`,
    { name, line: number },
  );
}
