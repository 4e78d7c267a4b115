import { readFile } from "node:fs/promises";
import { join } from "node:path";
import { z } from "zod";
import { writeAtomically } from "../../src/core/atomic-file.ts";
import { Failure, systemCode, toFailure } from "../../src/core/errors.ts";
import { jsonOrUndefined } from "../../src/core/json-or-undefined.ts";
import { Option, TASKS } from "../../src/core/shapes.ts";
import type { Sample } from "../benchmarks/sample.ts";

/* The samples in the folder of a run, so that it can be scored and compared without the data. */

const QUESTIONS = "questions.jsonl";

const StoredSample = z.object({
  id: z.string(),
  video: z.string(),
  hasVideo: z.boolean(),
  question: z.string(),
  task: z.enum(TASKS),
  goal: z.string().optional(),
  options: z.array(Option),
  answer: z.union([z.string(), z.array(z.int())]),
  accepts: z.array(z.string()).optional(),
  partial_order: z.array(z.tuple([z.int(), z.int()])).optional(),
  pairs: z.int().min(1).optional(),
  groups: z.record(z.string(), z.string()).optional(),
  subtitles: z.string().optional(),
  subtitles_from_s: z.number().optional(),
  steps: z.array(z.string()).optional(),
  evidence_s: z.array(z.tuple([z.number(), z.number()])).optional(),
  row: z.record(z.string(), z.unknown()),
});

export async function writeQuestions(folder: string, samples: readonly Sample[]): Promise<void> {
  const lines = samples.map((sample) => `${JSON.stringify(sample)}\n`);
  await writeAtomically(join(folder, QUESTIONS), lines.join(""));
}

/** The samples that a run asks, in its order. Throws `Failure` `not-found`, `data-malformed`. */
export async function readQuestions(folder: string): Promise<Sample[]> {
  const path = join(folder, QUESTIONS);
  let text: string;
  try {
    text = await readFile(path, "utf8");
  } catch (error) {
    if (systemCode(error) === "ENOENT")
      throw new Failure("not-found", `Cannot read the run in ${folder}: ${QUESTIONS} is missing.`, {
        folder,
      });
    throw toFailure(error, "file-unreadable", `reading ${path}`);
  }
  return text
    .split("\n")
    .filter((line) => line !== "")
    .map((line, index) => {
      const sample = readStoredSample(jsonOrUndefined(line));
      if (sample !== null) return sample;
      throw new Failure(
        "data-malformed",
        `Cannot read line ${index + 1} of ${path}: the sample is damaged. Start the run again in another folder.`,
        { path, line: index + 1 },
      );
    });
}

/** The sample of a parsed line; null if it is damaged. */
export function readStoredSample(value: unknown): Sample | null {
  const read = StoredSample.safeParse(value);
  return read.success ? read.data : null;
}
