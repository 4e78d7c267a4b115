import { readFile } from "node:fs/promises";
import { join } from "node:path";
import { z } from "zod";
import { writeAtomically } from "../../src/core/atomic-file.ts";
import { describeExpected } from "../../src/core/describe-issue.ts";
import { Failure, systemCode, toFailure } from "../../src/core/errors.ts";
import { Option, TASKS } from "../../src/core/shapes.ts";
import type { Sample } from "../benchmarks/sample.ts";

/*
 * What a run's folder holds beside the header: the samples it asks, so that it can be scored and compared without the
 * data, and its results, a line each.
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
  subtitles: z.string().optional(),
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
      throw new Failure(
        "not-found",
        `Expected the run in ${folder} to hold ${QUESTIONS}, but it does not.`,
        {
          folder,
        },
      );
    throw toFailure(error, "file-unreadable", `reading ${path}`);
  }
  return text
    .split("\n")
    .filter((line) => line !== "")
    .map((line, index) => {
      const read = StoredSample.safeParse(json(line));
      if (read.success) return read.data;
      throw new Failure(
        "data-malformed",
        `Expected line ${index + 1} of ${path} to be a sample, but it is damaged: start the run anew in another folder.`,
        { path, line: index + 1 },
      );
    });
}

function json(line: string): unknown {
  try {
    return JSON.parse(line);
  } catch {
    // A damaged line is named by the caller.
    return undefined;
  }
}

const Numbers = z.array(z.number());
const LineUsage = z.object({
  calls: z.int(),
  frames: z.int(),
  input: z.int(),
  output: z.int(),
  cost: z.number().nullable(),
  paid: z.number().nullable(),
  /** Calls whose tokens are our estimate. */
  estimated: z.int().optional(),
  /** Tokens of the output that were reasoning, and of the input that the provider had cached. */
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
 * Where in the video the evidence of one question lay, stage by stage, in seconds from its start. Every recognised item
 * with words is `indexed`, as spans; what searches handed back is `retrieved`; `shown` is what the calls held that reason
 * over it: items whose words stood in a prompt, times of frames, parts of the video sent as video.
 */
export const EvidenceTrail = z.object({
  /** Length of the video. */
  duration_s: z.number(),
  /** Null where nothing was searched. */
  indexed: z.array(Span).nullable(),
  retrieved: z.array(TrailItem).nullable(),
  /** Null where no model was asked to reason. */
  shown: z
    .object({ items: z.array(TrailItem), frames_s: Numbers, footage_s: z.array(Span) })
    .nullable(),
  /** Times of the frames that only the recogniser saw or saw as well. */
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
  /** By how many places the options were shifted (`option-orders.ts`); `reply` has the letters that the model saw. */
  shift: z.int().min(1).optional(),
  /** How often this one had been tried before, from 0; each try after an error pays for itself. */
  attempt: z.int().min(0),
  video: z.string(),
  /** Id under which the store keeps its events; null where it was not asked. */
  question: z.string().nullable(),
  status: z.string(),
  /** What extractors read: the model's own words, or the answer written by code in the benchmark's format. */
  reply: z.string().nullable(),
  reply_by: z.enum(["model", "code"]).nullable(),
  /** The model's reasoning where the server gave it apart from the reply; no extractor reads it. */
  reasoning: z.string().optional(),
  /** What the strategy itself answered, in the letters of the data. */
  answer: z.union([z.string(), Numbers]).nullable(),
  scores: z.record(
    z.string(),
    z.object({
      value: z.number().nullable(),
      answer: z.union([z.string(), Numbers]).nullable(),
      explanation: z.string(),
    }),
  ),
  /** Ids of the evidence cited, all of it in `set`; items with words are also in `evidence`. */
  cites: z.array(z.string()),
  /** Who chose the citations; missing in older runs and where no answer came. */
  cited_by: z.enum(["model", "code"]).optional(),
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
  /** Times of the frames sent, each once. */
  frames_s: Numbers,
  /** Missing in older runs and where the question failed. */
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
      /** The model's own time when the reply was first made; null: not known. */
      model_s: z.number().nullable().optional(),
      frames: z.int(),
      input: z.int(),
      output: z.int(),
      /** The server did not count tokens. */
      estimated: z.literal(true).optional(),
    }),
  ),
  usage: LineUsage,
  limits_met: z.array(z.string()),
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

/** What has to be known of a result so that a run can go on. */
const KeptLine = RunLine.pick({
  attempt: true,
  usage: true,
  error: true,
  status: true,
  limits_met: true,
}).extend({
  scores: z.record(z.string(), z.object({ value: z.number().nullable() })),
});
export type KeptLine = z.infer<typeof KeptLine>;

/** A line of `samples.jsonl` in the folder at `path`. Throws `Failure` `data-malformed`. */
export function readLine(line: unknown, path: string): RunLine {
  return readAs(RunLine, line, path);
}

/** The same where only the going on matters: of 10,000 lines a third of the time. */
export function readKeptLine(line: unknown, path: string): KeptLine {
  return readAs(KeptLine, line, path);
}

function readAs<T>(schema: z.ZodType<T>, line: unknown, path: string): T {
  const read = schema.safeParse(line);
  if (read.success) return read.data;
  const issue = read.error.issues[0];
  throw new Failure(
    "data-malformed",
    `Expected every line of samples.jsonl in ${path} to be a result, but \`${issue?.path.join(".")}\` of one has to be ${describeExpected(issue)}.`,
    { path },
  );
}
