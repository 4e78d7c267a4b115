import { z } from "zod";
import { describeExpected } from "../../src/core/describe-issue.ts";
import { Failure } from "../../src/core/errors.ts";

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

/** A line of `samples.jsonl` in the folder at `path`. Throws `Failure` `data-malformed`. */
export function readLine(line: unknown, path: string): RunLine {
  return readAs(RunLine, line, path);
}

/** Throws `Failure` `data-malformed`, which names the member of the line that does not fit. */
export function readAs<T>(schema: z.ZodType<T>, line: unknown, path: string): T {
  const read = schema.safeParse(line);
  if (read.success) return read.data;
  const issue = read.error.issues[0];
  throw new Failure(
    "data-malformed",
    `Cannot read samples.jsonl in ${path}: \`${issue?.path.join(".")}\` of a line must be ${describeExpected(issue)}.`,
    { path },
  );
}
