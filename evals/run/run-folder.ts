import { readFile } from "node:fs/promises";
import { join } from "node:path";
import { z } from "zod";
import { writeAtomically } from "../../src/core/atomic-file.ts";
import { describeExpected } from "../../src/core/describe-issue.ts";
import { Failure, systemCode, toFailure } from "../../src/core/errors.ts";
import { jsonOrUndefined } from "../../src/core/json-or-undefined.ts";
import type { RunSample } from "../../src/core/run-results.ts";
import { Option, TASKS } from "../../src/core/shapes.ts";
import type { Sample } from "../benchmarks/sample.ts";

/*
 * Files in a run's folder in addition to the header: the samples, so that the run can be scored and compared without the
 * data, and the results, one per line.
 */

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

const Numbers = z.array(z.number());
const LineUsage = z.object({
  calls: z.int(),
  frames: z.int(),
  input: z.int(),
  output: z.int(),
  cost: z.number().nullable(),
  paid: z.number().nullable(),
  /** Calls whose token counts are estimates. */
  estimated: z.int().optional(),
  /** Output tokens used for reasoning, and input tokens that the provider had cached. */
  reasoning: z.int().optional(),
  cached_input: z.int().optional(),
});

const Span = z.tuple([z.number(), z.number()]);
const TrailItem = z.object({
  id: z.string(),
  kind: z.string(),
  start_s: z.number(),
  end_s: z.number(),
});

/**
 * Times of the evidence of one question at each stage, in seconds from the start of the video. `indexed`: spans of all
 * recognised items with text. `retrieved`: search results. `shown`: contents of the reasoning calls, namely items whose text
 * was in a prompt, times of frames, and segments sent as video.
 */
export const EvidenceTrail = z.object({
  /** Length of the video. */
  duration_s: z.number(),
  /** Null if there was no search. */
  indexed: z.array(Span).nullable(),
  retrieved: z.array(TrailItem).nullable(),
  /** Null if no reasoning model was called. */
  shown: z
    .object({ items: z.array(TrailItem), frames_s: Numbers, footage_s: z.array(Span) })
    .nullable(),
  /** Times of the frames that the recogniser saw. */
  recognised_frames_s: Numbers,
  cited: z.array(TrailItem),
});
export type EvidenceTrail = z.infer<typeof EvidenceTrail>;
export type TrailItem = z.infer<typeof TrailItem>;

/** One result of a run; seconds count from the start of the video, times of day are ISO 8601. */
export const RunLine = z.object({
  sample: z.string(),
  /** From 1. */
  epoch: z.int().min(1),
  /** Positions by which the options were shifted (`option-orders.ts`); `reply` has the letters that the model saw. */
  shift: z.int().min(1).optional(),
  /** Number of earlier attempts; each attempt after an error makes its own calls. */
  attempt: z.int().min(0),
  video: z.string(),
  /** Id of the question in the store, with its events; null if it was not asked. */
  question: z.string().nullable(),
  status: z.string(),
  /** The text that extractors read: the model's reply, or the answer written by code in the benchmark's format. */
  reply: z.string().nullable(),
  reply_by: z.enum(["model", "code", "person"]).nullable(),
  /** The model's reasoning, if the server returned it separately; extractors do not read it. */
  reasoning: z.string().optional(),
  /** The answer of the strategy, in the letters of the data. */
  answer: z.union([z.string(), Numbers]).nullable(),
  scores: z.record(
    z.string(),
    z.object({
      value: z.number().nullable(),
      answer: z.union([z.string(), Numbers]).nullable(),
      explanation: z.string(),
    }),
  ),
  /** Ids of the cited evidence, all of it in `set`; items with text are also in `evidence`. */
  cites: z.array(z.string()),
  /** Who chose the citations; missing in older runs and without an answer. */
  cited_by: z.enum(["model", "code"]).optional(),
  /** As the strategy states it, 0 to 1; missing without one and in older runs. */
  confidence: z.number().min(0).max(1).optional(),
  confidence_basis: z.string().optional(),
  set: z.string().nullable(),
  evidence: z.array(
    z.object({
      id: z.string(),
      kind: z.string(),
      start_s: z.number(),
      end_s: z.number(),
      clip: z.int().optional(),
      text: z.string(),
    }),
  ),
  /** Times of the frames sent, without duplicates. */
  frames_s: Numbers,
  /** Missing in older runs and if the question failed. */
  trail: EvidenceTrail.optional(),
  calls: z.array(
    z.object({
      key: z.string(),
      stage: z.string(),
      role: z.string(),
      label: z.string(),
      model: z.string(),
      finish: z.string(),
      cached: z.boolean(),
      seconds: z.number(),
      /** Original duration of the model call; null if not known. */
      model_s: z.number().nullable().optional(),
      frames: z.int(),
      input: z.int(),
      output: z.int(),
      /** Number of pictures in the request, if it differs from `frames`. */
      pictures: z.int().optional(),
      /** Requests of the call without a usable reply. */
      retried: z
        .object({
          requests: z.int(),
          input: z.int(),
          output: z.int(),
          cost: z.number().nullable(),
        })
        .optional(),
      /** The server did not count tokens. */
      estimated: z.literal(true).optional(),
    }),
  ),
  usage: LineUsage,
  limits_met: z.array(z.string()),
  /** Id of the blob with the messages and events of the sample, if they were kept. */
  transcript: z.string().optional(),
  diagnostics: z.record(z.string(), z.unknown()),
  error: z.object({ kind: z.string(), message: z.string() }).optional(),
  started_at: z.string(),
  /** Wall time in this process. */
  seconds: z.number(),
  /** See `timeSpent`; missing in runs of earlier versions. */
  time: z
    .object({
      model_s: z.number(),
      own_s: z.number(),
      waited_s: z.number(),
      unknown_calls: z.int(),
    })
    .optional(),
});
export type RunLine = z.infer<typeof RunLine>;

/** The members of a result that a resumed run needs. */
const LineSummary = RunLine.pick({
  attempt: true,
  usage: true,
  error: true,
  status: true,
  limits_met: true,
}).extend({
  scores: z.record(z.string(), z.object({ value: z.number().nullable() })),
});
export type LineSummary = z.infer<typeof LineSummary>;
/** Names of these members, which are the first of a line. */
export const SUMMARY_MEMBERS: readonly string[] = Object.keys(LineSummary.shape);

/** A line of `samples.jsonl` in the folder at `path`. Throws `Failure` `data-malformed`. */
export function readLine(line: unknown, path: string): RunLine {
  return readAs(RunLine, line, path);
}

/** Like `readLine`, for resuming a run. The usual line is recognised without zod, in a tenth of the time. */
export function readLineSummary(line: unknown, path: string): LineSummary {
  return isUsualLine(line) ? line : readAs(LineSummary, line, path);
}

/** A result as far as a resumed run needs it, with the value of one score. */
export type StoredLine = Pick<RunLine, "sample" | "epoch"> & LineSummary;

/** Reads a line for resuming a run. A long run has many: only what is needed of them stays in memory. Throws as `readLine`. */
export function storedLine(
  line: RunSample,
  { extractor, path }: { extractor: string; path: string },
): StoredLine {
  const { attempt, usage, error, status, limits_met, scores } = readLineSummary(line, path);
  const value = scores[extractor]?.value;
  return {
    ...{ sample: line.sample, epoch: line.epoch, attempt, usage, status, limits_met },
    scores: value === undefined ? {} : { [extractor]: { value } },
    ...(error === undefined ? {} : { error }),
  };
}

const COUNTS = ["calls", "frames", "input", "output"] as const;
const OPTIONAL_COUNTS = ["estimated", "reasoning", "cached_input"] as const;
const DOLLARS = ["cost", "paid"] as const;

/** Whether zod would accept a line that has no error; false if only zod can say. */
function isUsualLine(line: unknown): line is LineSummary {
  if (!isObject(line) || line.error !== undefined) return false;
  const { attempt, usage, status, limits_met: limits, scores } = line;
  return (
    Number.isSafeInteger(attempt) &&
    (attempt as number) >= 0 &&
    typeof status === "string" &&
    Array.isArray(limits) &&
    limits.length === 0 &&
    isObject(usage) &&
    COUNTS.every((name) => Number.isSafeInteger(usage[name])) &&
    DOLLARS.every((name) => usage[name] === null || Number.isFinite(usage[name])) &&
    OPTIONAL_COUNTS.every(
      (name) => usage[name] === undefined || Number.isSafeInteger(usage[name]),
    ) &&
    isObject(scores) &&
    Object.values(scores).every(
      (score) => isObject(score) && (score.value === null || Number.isFinite(score.value)),
    )
  );
}

function isObject(value: unknown): value is Record<string, unknown> {
  return typeof value === "object" && value !== null && !Array.isArray(value);
}

function readAs<T>(schema: z.ZodType<T>, line: unknown, path: string): T {
  const read = schema.safeParse(line);
  if (read.success) return read.data;
  const issue = read.error.issues[0];
  throw new Failure(
    "data-malformed",
    `Cannot read samples.jsonl in ${path}: \`${issue?.path.join(".")}\` of a line must be ${describeExpected(issue)}.`,
    { path },
  );
}
