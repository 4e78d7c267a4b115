import { appendFile, readFile } from "node:fs/promises";
import { join, resolve } from "node:path";
import { z } from "zod";
import { writeAtomically } from "../../src/core/atomic-file.ts";
import { describeExpected } from "../../src/core/describe-issue.ts";
import { Failure, systemCode, toFailure } from "../../src/core/errors.ts";
import { jsonOrUndefined } from "../../src/core/json-or-undefined.ts";
import { makeFolder } from "../../src/storage/make-folder.ts";
import type { Sample } from "../benchmarks/sample.ts";
import { EvalHeader } from "../run/run-header.ts";
import { readQuestions, writeQuestions } from "../run/stored-samples.ts";
import { Scorers } from "../scorers/choose-scorers.ts";

/*
 * The folder of a human study: `study.json` (plan), `questions.jsonl` (the questions, with their right answers, for the
 * operator only) and `answers.jsonl` (one line for each answer, appended as it comes).
 */

const STUDY_FORMAT = 1;

/** The plan of a study. */
export const StudyPlan = z.object({
  format: z.int(),
  study: z.string().min(1),
  created_at: z.string(),
  benchmark: z.string().min(1),
  data: EvalHeader.shape.data,
  scorers: Scorers,
  seed: z.int(),
  /** Names of the raters; with keys, the names of their keys. */
  raters: z.array(z.string().min(1)).min(1),
  per_item: z.int().min(1),
  /**
   * By rater and in the rater's order: `item` is the place in `questions.jsonl`, of a question or of one of its pairs. All
   * pairs of a question have the same raters; older plans may differ (`mixedQuestions`).
   */
  assignments: z.array(z.object({ rater: z.int(), item: z.int(), shift: z.int() })),
});
export type StudyPlan = z.infer<typeof StudyPlan>;

/** One answer of a rater. */
export const StudyAnswer = z.object({
  rater: z.string(),
  /** Place of the question in `questions.jsonl`. */
  item: z.int(),
  sample: z.string(),
  shift: z.int(),
  /** The letter as the rater saw it, clip numbers, or a text. */
  shown: z.union([z.string(), z.array(z.int())]),
  /** Seconds from the first view of the question to the answer, as the service measured them. */
  seconds: z.number().min(0),
  /** ISO 8601. */
  answered_at: z.string(),
});
export type StudyAnswer = z.infer<typeof StudyAnswer>;

/** A study that was read from its folder. */
export interface Study {
  folder: string;
  plan: StudyPlan;
  samples: Sample[];
}

const files = (folder: string) => ({
  plan: join(folder, "study.json"),
  answers: join(folder, "answers.jsonl"),
});

/** Writes a new study. Throws `Failure` `wrong-usage` if the folder has one already. */
export async function writeStudy(
  folder: string,
  plan: Omit<StudyPlan, "format">,
  samples: readonly Sample[],
): Promise<void> {
  const { plan: file } = files(folder);
  const taken = await readFile(file).then(
    () => true,
    () => false,
  );
  if (taken)
    throw new Failure(
      "wrong-usage",
      `${folder} already holds a study. Choose another folder with --out.`,
      { folder },
    );
  await makeFolder(folder);
  await writeQuestions(folder, samples);
  await writeAtomically(file, `${JSON.stringify({ format: STUDY_FORMAT, ...plan }, null, 2)}\n`);
}

/** Reads a study. Throws `Failure` `not-found`, `data-malformed`, `store-format` (a newer version). */
export async function readStudy(folder: string): Promise<Study> {
  const root = resolve(folder);
  const { plan: file } = files(root);
  let text: string;
  try {
    text = await readFile(file, "utf8");
  } catch (error) {
    if (systemCode(error) !== "ENOENT")
      throw toFailure(error, "file-unreadable", `reading ${file}`);
    throw new Failure(
      "not-found",
      `There is no human study in ${folder}: study.json is missing. Make one with \`video-rrd human-study make\`.`,
      { folder },
    );
  }
  let json: unknown;
  try {
    json = JSON.parse(text);
  } catch {
    // Refused below.
  }
  const read = StudyPlan.safeParse(json);
  if (!read.success)
    throw new Failure(
      "data-malformed",
      `Cannot read ${file}: \`${read.error.issues[0]?.path.join(".")}\` must be ${describeExpected(read.error.issues[0])}.`,
      { file },
    );
  if (read.data.format > STUDY_FORMAT)
    throw new Failure(
      "store-format",
      `Cannot read the study in ${folder}: a newer version of video-rrd wrote it (format ${read.data.format}).`,
      { folder, format: read.data.format, expected: STUDY_FORMAT },
    );
  return { folder: root, plan: read.data, samples: await readQuestions(root) };
}

/** Appends an answer; it is on the disk before this returns. */
export async function appendAnswer(folder: string, answer: StudyAnswer): Promise<void> {
  const { answers } = files(folder);
  try {
    // A line that a full disk or a kill cut off must not swallow this one.
    await appendFile(
      answers,
      `${(await isCutOff(answers)) ? "\n" : ""}${JSON.stringify(answer)}\n`,
      {
        flush: true,
      },
    );
  } catch (error) {
    throw toFailure(error, "file-unreadable", `writing ${answers}`);
  }
}

async function isCutOff(file: string): Promise<boolean> {
  const text = await readText(file);
  return text !== "" && !text.endsWith("\n");
}

/** The answers so far, the first of each rater and question; `damaged` counts lines that cannot be read. */
export async function readAnswers(
  folder: string,
): Promise<{ answers: StudyAnswer[]; damaged: number }> {
  const { answers: file } = files(folder);
  const found = new Map<string, StudyAnswer>();
  let damaged = 0;
  for (const line of (await readText(file)).split("\n")) {
    if (line === "") continue;
    const read = StudyAnswer.safeParse(jsonOrUndefined(line));
    const key = read.success ? `${read.data.item} ${read.data.rater}` : "";
    if (!read.success) damaged++;
    else if (!found.has(key)) found.set(key, read.data);
  }
  return { answers: [...found.values()], damaged };
}

async function readText(file: string): Promise<string> {
  try {
    return await readFile(file, "utf8");
  } catch (error) {
    if (systemCode(error) === "ENOENT") return "";
    throw toFailure(error, "file-unreadable", `reading ${file}`);
  }
}
