import { join } from "node:path";
import { z } from "zod";
import type { RunHeader, RunLog } from "../../src/core/contracts.ts";
import { describeExpected } from "../../src/core/describe-issue.ts";
import { Failure, isFailure, oneLine } from "../../src/core/errors.ts";
import { Usage } from "../../src/core/shapes.ts";
import { openRunLog } from "../../src/storage/run-log.ts";

/*
 * An evidence test is stored in the folder of its run, in `evidence-test/`, laid out as a run itself is (`header.json`,
 * `samples.jsonl`): append-only, and gone on with where it stopped.
 */

const FOLDER = "evidence-test";
const FORMAT = 1;

const AnswerValue = z.union([z.string(), z.array(z.number())]).nullable();

/** An answer to the same question, asked again. */
const Again = z.object({
  /** Items of evidence that there were. */
  evidence: z.int(),
  status: z.string(),
  answer: AnswerValue,
  /** Whether it is the answer of the run. */
  same: z.boolean(),
});

/** What came of one result of the run; seconds count from the start of the video. */
export const TestLine = z.object({
  sample: z.string(),
  /** Of the run's result, from 1. */
  epoch: z.int().min(1),
  attempt: z.int().min(0),
  /** The run's own. */
  answer: AnswerValue,
  /** Where each citation lies; empty where the answer cites nothing, and is then not asked again. */
  cited_s: z.array(z.tuple([z.number(), z.number()])),
  /** Null where nothing was cited. */
  again: z.object({ all: Again, cited: Again, rest: Again }).nullable(),
  usage: Usage,
  error: z.object({ kind: z.string(), message: z.string() }).optional(),
  started_at: z.string(),
  seconds: z.number(),
});
export type TestLine = z.infer<typeof TestLine>;

/** A test of cited evidence as it was kept. */
export interface EvidenceTest {
  status: RunHeader["status"];
  lines: TestLine[];
}

export function testLog(runFolder: string): RunLog {
  return openRunLog(join(runFolder, FOLDER));
}

export function newTestHeader(run: string): RunHeader {
  return { run, format: FORMAT, status: "running", created_at: new Date().toISOString() };
}

/**
 * The test of a run, or null where none was begun.
 * Throws `Failure`: `store-format` for a newer version's, `data-malformed`.
 */
export async function readTest(runFolder: string): Promise<EvidenceTest | null> {
  const log = testLog(runFolder);
  const header = await log.readHeader().catch((error: unknown) => {
    if (isFailure(error, "not-found")) return null;
    throw error;
  });
  if (header === null) return null;
  if (header.format > FORMAT)
    throw new Failure(
      "store-format",
      `Cannot read the evidence test in ${log.folder}: it has format ${header.format}, written by a newer version of video-rrd. This version reads format ${FORMAT}.`,
      { folder: log.folder, format: header.format },
    );
  const { samples } = await log.read();
  return { status: header.status, lines: samples.map((line) => readTestLine(line, log.folder)) };
}

export function readTestLine(line: unknown, folder: string): TestLine {
  const read = TestLine.safeParse(line);
  if (read.success) return read.data;
  const issue = read.error.issues[0];
  throw new Failure(
    "data-malformed",
    `Invalid line of samples.jsonl in ${folder}: \`${issue?.path.join(".")}\` must be ${oneLine(describeExpected(issue), 80)}.`,
    { folder },
  );
}
