import { join } from "node:path";
import { z } from "zod";
import type { RunHeader, RunLog } from "../../src/core/contracts.ts";
import { describeExpected } from "../../src/core/describe-issue.ts";
import { Failure, isFailure } from "../../src/core/errors.ts";
import { Usage } from "../../src/core/shapes.ts";
import { openRunLog } from "../../src/storage/run-log.ts";

/*
 * Answers from perturbed evidence, in the folder `propagation/` of the run. A line belongs to a sample and an evidence
 * set, so that equal evidence is asked once, whatever perturbation and rate it results from.
 */

const FOLDER = "propagation";
const FORMAT = 1;

export const PropagationLine = z.object({
  /** `lineKey` of the sample and the set. */
  sample: z.string(),
  epoch: z.int().min(1),
  attempt: z.int().min(0),
  /** Id of the sample. */
  of: z.string(),
  /** Id of the evidence set. */
  set: z.string(),
  status: z.string(),
  /** The extracted answer; null after an error. */
  reply: z.string().nullable(),
  usage: Usage,
  error: z.object({ kind: z.string(), message: z.string() }).optional(),
  started_at: z.string(),
  seconds: z.number(),
});
export type PropagationLine = z.infer<typeof PropagationLine>;

/** The key of a line. */
export function lineKey(sample: string, set: string): string {
  return `${set} ${sample}`;
}

export function propagationLog(runFolder: string): RunLog {
  return openRunLog(join(runFolder, FOLDER));
}

export function newPropagationHeader(run: string): RunHeader {
  return { run, format: FORMAT, status: "running", created_at: new Date().toISOString() };
}

/** Stored answers by key; empty if there are none. Throws `Failure` `store-format`, `data-malformed`. */
export async function readPropagation(runFolder: string): Promise<Map<string, PropagationLine>> {
  const log = propagationLog(runFolder);
  const header = await log.readHeader().catch((error: unknown) => {
    if (isFailure(error, "not-found")) return null;
    throw error;
  });
  if (header === null) return new Map();
  if (header.format > FORMAT)
    throw new Failure(
      "store-format",
      `Cannot read ${log.folder}: it has format ${header.format}, written by a newer version of video-rrd. This version reads format ${FORMAT}.`,
      { folder: log.folder, format: header.format },
    );
  const { samples } = await log.read();
  return new Map(
    samples.map((line) => {
      const read = PropagationLine.safeParse(line);
      if (read.success) return [read.data.sample, read.data] as const;
      const issue = read.error.issues[0];
      throw new Failure(
        "data-malformed",
        `Invalid line of samples.jsonl in ${log.folder}: \`${issue?.path.join(".")}\` must be ${describeExpected(issue)}.`,
        { folder: log.folder },
      );
    }),
  );
}
