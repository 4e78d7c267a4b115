import { z } from "zod";
import type { RunHeader, RunLog } from "../../src/core/contracts.ts";
import { describeExpected } from "../../src/core/describe-issue.ts";
import { Failure, oneLine } from "../../src/core/errors.ts";
import { ModuleFile } from "../../src/core/loaded-modules.ts";
import { TASKS } from "../../src/core/shapes.ts";
import { ServerRecord } from "../../tools/mcp/server-record.ts";
import { StoredExtractor } from "../score/extractor-settings.ts";
import { Scorers } from "../scorers/choose-scorers.ts";
import { DESCRIPTIONS } from "./eval-settings.ts";
import { GoldArm } from "./gold-arm.ts";

/** Format version of a run's folder. */
export const RUN_FORMAT = 1;

/** The header of a run; `settings` are those of `readSettings`, and are read again when the run resumes. */
export const EvalHeader = z.looseObject({
  run: z.string().min(1),
  format: z.int(),
  status: z.enum(["running", "finished", "stopped", "failed"]),
  /** Why the run is incomplete, in one sentence. */
  ended_by: z.string().nullable(),
  created_at: z.string(),
  updated_at: z.string(),
  versions: z.record(z.string(), z.string()),
  benchmark: z.string().min(1),
  data: z.looseObject({
    /** Folder that the videos start from. */
    folder: z.string(),
    /** Folder or file that was loaded; missing in older runs, which load `folder`. */
    path: z.string().optional(),
    files: z.array(z.string()),
    hash: z.string(),
    subset: z.string(),
    /** Load settings of the benchmark, such as the names of columns; missing in older runs. */
    load: z.record(z.string(), z.unknown()).optional(),
    samples: z.int(),
    notes: z.array(z.object({ what: z.string(), count: z.int(), examples: z.array(z.string()) })),
  }),
  selection: z.object({
    limit: z.object({ from: z.int(), to: z.int() }).nullable(),
    sample_id: z.array(z.string()),
    sample_shuffle: z.int().nullable(),
    skip_missing: z.boolean(),
    asked: z.int(),
    /** Ids left out because their video is missing. */
    skipped: z.array(z.string()),
    /** Ids left out because a file of marks marks them; missing without one. */
    left_out: z.array(z.string()).optional(),
  }),
  epochs: z.int().min(1),
  /** Missing in older runs, which have a single order: that of the data. */
  option_orders: z.int().min(1).optional(),
  descriptions: z.enum(DESCRIPTIONS).default("recognised"),
  /** What an arm of an attribution is given; missing in every other run. */
  gold: GoldArm.optional(),
  /** People answered, not a model; missing in every other run. */
  human_study: z
    .object({
      ...{ raters: z.array(z.string()), per_item: z.int(), seed: z.int() },
      /** Number of questions whose pairs were answered by different people; missing without any. */
      mixed_questions: z.int().optional(),
    })
    .optional(),
  settings: z.record(z.string(), z.unknown()),
  settings_hash: z.string(),
  /** Files of users' own code that were loaded, with what they import; missing without any, and in older runs. */
  modules: z.array(ModuleFile).optional(),
  /** MCP servers with their tools; missing without any, and in older runs. */
  mcp: z.array(ServerRecord).optional(),
  /**
   * Defaults for settings that are not set, by task and path; a resumed run uses them, and current ones for what an older
   * run did not store.
   */
  defaults: z.partialRecord(z.enum(TASKS), z.record(z.string(), z.unknown())).optional(),
  prompts: z.record(z.string(), z.string()),
  prompts_replaced: z.array(z.string()),
  /** The protocol of the run and the deviations from it; null without `--protocol`. */
  protocol: z.object({ source: z.string(), deviations: z.array(z.string()) }).nullable(),
  /** The extractor; missing in older runs, where it follows from the settings. */
  extractor: StoredExtractor.optional(),
  /** The scorer of each task; missing in older runs, which have those of the benchmark. */
  scorers: Scorers.optional(),
  /** Wordings of the prompts that the run can send; null if they depend on the videos; missing in older runs. */
  wordings: z
    .record(
      z.string(),
      z.object({
        sha256: z.string(),
        quoted: z.array(z.string()),
        variables: z.array(z.string()).optional(),
      }),
    )
    .nullable()
    .optional(),
  /** Comparison with the published protocol at the start, for a person; programs compute it again. */
  certificate: z.unknown().optional(),
  max_samples: z.int().nullable(),
  fail_on_error: z.int().nullable(),
  /** Dollars that the run may spend in total. */
  total_cost_limit: z.number().nullable().default(null),
  /** Workers of a store answer the questions; missing if the process of the run does. */
  workers: z.literal("remote").optional(),
  /** With workers: times a sample may end its worker before it is parked. */
  sample_tries: z.int().min(1).optional(),
  /** Whether the messages of the model calls are stored; missing if not. */
  keep_requests: z.boolean().optional(),
});
export type EvalHeader = z.infer<typeof EvalHeader> & RunHeader;

/**
 * Reads the header of a benchmark run. Throws `Failure`: `not-found`, `store-format` for the run of a newer version,
 * `data-malformed` for a header that this program did not write.
 */
export async function readEvalHeader(log: RunLog): Promise<EvalHeader> {
  return checkEvalHeader(await log.readHeader(), log.folder);
}

/** Like `readEvalHeader`, for a header that was read already; `where` is its folder or database. */
export function checkEvalHeader(header: RunHeader, where: string): EvalHeader {
  if (header.format > RUN_FORMAT)
    throw new Failure(
      "store-format",
      `Cannot read the run in ${where}: a newer version of video-rrd wrote it (format ${header.format}; this version reads up to ${RUN_FORMAT}).`,
      { folder: where, format: header.format, expected: RUN_FORMAT },
    );
  const read = EvalHeader.safeParse(header);
  if (read.success) return read.data;
  const issue = read.error.issues[0];
  throw new Failure(
    "data-malformed",
    `${where} is not a benchmark run: \`${issue?.path.join(".")}\` of its header must be ${oneLine(describeExpected(issue), 80)}.`,
    { folder: where },
  );
}
