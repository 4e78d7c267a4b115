import { z } from "zod";
import type { RunHeader, RunLog } from "../../src/core/contracts.ts";
import { describeExpected } from "../../src/core/describe-issue.ts";
import { Failure, oneLine } from "../../src/core/errors.ts";
import { TASKS } from "../../src/core/shapes.ts";
import { StoredExtractor } from "../score/extractor-settings.ts";
import { DESCRIPTIONS } from "./eval-settings.ts";

/** Number of the layout of a run's folder. */
export const RUN_FORMAT = 1;

/** What a run was made from; `settings` is that of `readSettings`, read again when the run goes on. */
export const EvalHeader = z.looseObject({
  run: z.string().min(1),
  format: z.int(),
  status: z.enum(["running", "finished", "stopped", "failed"]),
  /** Why it ended before all was asked, in one sentence. */
  ended_by: z.string().nullable(),
  created_at: z.string(),
  updated_at: z.string(),
  versions: z.record(z.string(), z.string()),
  benchmark: z.string().min(1),
  data: z.looseObject({
    folder: z.string(),
    files: z.array(z.string()),
    hash: z.string(),
    subset: z.string(),
    samples: z.int(),
    notes: z.array(z.object({ what: z.string(), count: z.int(), examples: z.array(z.string()) })),
  }),
  selection: z.object({
    limit: z.object({ from: z.int(), to: z.int() }).nullable(),
    sample_id: z.array(z.string()),
    sample_shuffle: z.int().nullable(),
    skip_missing: z.boolean(),
    asked: z.int(),
    /** Ids left out for want of a video. */
    skipped: z.array(z.string()),
  }),
  epochs: z.int().min(1),
  /** Missing in older runs: the order of the data only. */
  option_orders: z.int().min(1).optional(),
  descriptions: z.enum(DESCRIPTIONS).default("recognised"),
  settings: z.record(z.string(), z.unknown()),
  settings_hash: z.string(),
  /**
   * What the strategy takes for settings that are not set, by task and path: a run that goes on keeps it. Missing in older
   * runs, which take today's.
   */
  defaults: z.partialRecord(z.enum(TASKS), z.record(z.string(), z.unknown())).optional(),
  prompts: z.record(z.string(), z.string()),
  prompts_replaced: z.array(z.string()),
  /** By whose way the run was made, and in what it differs; null: by none. */
  protocol: z.object({ source: z.string(), deviations: z.array(z.string()) }).nullable(),
  /** Who reads the replies; left out in runs of before, where the settings say it. */
  extractor: StoredExtractor.optional(),
  /** Wordings of the prompts that the run can send; null where that depends on the videos; absent in older runs. */
  wordings: z
    .record(z.string(), z.object({ sha256: z.string(), quoted: z.array(z.string()) }))
    .nullable()
    .optional(),
  /** How the run compared with the published protocol when it began, for a person; made again from the rest. */
  certificate: z.unknown().optional(),
  max_samples: z.int().nullable(),
  fail_on_error: z.int().nullable(),
  /** Dollars that the run may pay in all. */
  total_cost_limit: z.number().nullable().default(null),
});
export type EvalHeader = z.infer<typeof EvalHeader> & RunHeader;

/**
 * The header of a benchmark run. Throws `Failure`: `not-found`, `store-format` for the run of a newer version,
 * `data-malformed` for one that this program did not write.
 */
export async function readEvalHeader(log: RunLog): Promise<EvalHeader> {
  const header = await log.readHeader();
  if (header.format > RUN_FORMAT)
    throw new Failure(
      "store-format",
      `Expected the run in ${log.folder} to have format ${RUN_FORMAT}, got format ${header.format}: a newer version of video-rrd wrote it.`,
      { folder: log.folder, format: header.format, expected: RUN_FORMAT },
    );
  const read = EvalHeader.safeParse(header);
  if (read.success) return read.data;
  const issue = read.error.issues[0];
  throw new Failure(
    "data-malformed",
    `Expected ${log.folder} to be a benchmark run, but \`${issue?.path.join(".")}\` of its header has to be ${oneLine(describeExpected(issue), 80)}.`,
    { folder: log.folder },
  );
}
