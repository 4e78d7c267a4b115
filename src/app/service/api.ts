import { z } from "zod";
import { strategies } from "../../../graphs/define-strategy.ts";
import { Answer, Evidence, Hash, Question, TASKS, Usage } from "../../core/shapes.ts";

/*
 * Everything that crosses the wire, as zod schemas: `routes.ts` makes the routes of them, `/openapi.json` the document.
 * Times are seconds from the start of the video; instants (`..._at`) are milliseconds since 1970.
 */

/** Names given by the service: random, never derived from what a request said. */
export const Id = z.string().regex(/^[A-Za-z0-9_-]{16,40}$/);

/** One of the strategies that were known when the service was started. */
const StrategyName = z.enum(strategies.names());

/** Longest texts that a person may send. */
const LINE = 300;
const WORDS = 20_000;
const LONGEST_VIDEO_S = 1_000_000;

/** RFC 9457. `kind` is the `FailureKind`, or the name of an HTTP refusal; `offset` goes with 409 on an upload. */
export const Problem = z
  .looseObject({
    type: z.string(),
    title: z.string(),
    status: z.int(),
    detail: z.string(),
    /** `urn:request:ID`, as the log and `X-Request-Id` have it. */
    instance: z.string(),
    kind: z.string(),
    offset: z.int().optional(),
  })
  .meta({ id: "Problem" });
export type Problem = z.infer<typeof Problem>;

export const VideoView = z
  .object({
    id: Id,
    /** As the person named it; to be escaped. */
    name: z.string(),
    duration_s: z.number(),
    /** Pixels of the upright frame; null for a file without pictures. */
    width: z.int().nullable(),
    height: z.int().nullable(),
    /** Bytes. */
    size: z.int(),
    created_at: z.number(),
    /** How many questions were asked of it. */
    questions: z.int(),
  })
  .meta({ id: "Video" });
export type VideoView = z.infer<typeof VideoView>;

export const NewUpload = z
  .strictObject({ name: z.string().min(1).max(LINE), size: z.int().positive() })
  .meta({ id: "NewUpload" });

/** `offset`: bytes that have arrived; `video` once all are there and were found to be one. */
export const UploadView = z
  .object({ id: Id, offset: z.int(), size: z.int(), video: VideoView.nullable() })
  .meta({ id: "Upload" });
export type UploadView = z.infer<typeof UploadView>;

export const FromUrl = z
  .strictObject({ url: z.string().min(1).max(2000), name: z.string().min(1).max(LINE).optional() })
  .meta({ id: "FromUrl" });

/** Settings by path (`recognition.frames`) or nested, without `runtime`. The schema of the project reads the values. */
export const SettingsGiven = z.record(z.string().max(100), z.unknown());

export const NewQuestion = z
  .strictObject({
    /** May be empty where `goal` is given. */
    text: z.string().max(WORDS).default(""),
    options: z.array(z.string().min(1).max(WORDS)).min(2).max(26).optional(),
    task: z.enum(TASKS).optional(),
    /** What shuffled clips add up to, for the task `order`. */
    goal: z.string().min(1).max(WORDS).optional(),
    settings: SettingsGiven.optional(),
  })
  .meta({ id: "NewQuestion" });
export type NewQuestion = z.infer<typeof NewQuestion>;

export const STATES = ["queued", "running", "answered", "failed", "cancelled"] as const;
export type QuestionState = (typeof STATES)[number];

export const VERDICTS = ["approved", "corrected"] as const;
const answerGiven = z.union([z.string().min(1).max(WORDS), z.array(z.int().positive()).max(64)]);

export const Review = z
  .object({
    verdict: z.enum(VERDICTS),
    /** The right answer: the given one where it is approved. */
    answer: answerGiven,
    note: z.string().nullable(),
    /** Who reviewed: the name of the key, or `person`. */
    by: z.string(),
    at: z.number(),
  })
  .meta({ id: "Review" });
export type Review = z.infer<typeof Review>;

/** A corrected answer is a letter for `choice`, clip numbers for `order`, words for `open`. */
export const NewReview = z
  .strictObject({
    verdict: z.enum(VERDICTS),
    answer: answerGiven.optional(),
    note: z.string().max(WORDS).optional(),
  })
  .meta({ id: "NewReview" });
export type NewReview = z.infer<typeof NewReview>;

export const AnswerView = Answer.meta({ id: "Answer" });
export const AskedView = Question.meta({ id: "Asked" });

export const QuestionView = z
  .object({
    id: Id,
    video: Id,
    /** Letters are given to options; `asked.video` is the hash of the file. */
    asked: AskedView,
    strategy: StrategyName,
    model: z.string().nullable(),
    /** Settings that differ from the defaults, by path. */
    settings: z.record(z.string(), z.unknown()),
    state: z.enum(STATES),
    answer: AnswerView.nullable(),
    /** Why it failed, as a sentence. */
    failure: z.object({ kind: z.string(), message: z.string() }).nullable(),
    /** The evidence set at hand: the answer's own, or the last corrected one. */
    set: Hash.nullable(),
    /** Whether the evidence was corrected after the answer. */
    edited: z.boolean(),
    /** The question whose corrected evidence this one reasons over. */
    from: Id.nullable(),
    review: Review.nullable(),
    /** Usage of the last run of the question by stage, in the order of the stages. */
    stages: z.array(z.object({ stage: z.string(), usage: Usage })),
    usage: Usage,
    /** Seconds from the start of the last run to its end; null while it goes on. */
    seconds: z.number().nullable(),
    created_at: z.number(),
  })
  .meta({ id: "Question" });
export type QuestionView = z.infer<typeof QuestionView>;

export const EvidenceView = z
  .object({
    ...Evidence.shape,
    /** `E1`, `E2` ...: what prompts and replies call it. */
    name: z.string(),
    /** Whether the answer cites it. */
    cited: z.boolean(),
    /** Where a small picture of it is. */
    thumbnail: z.string().nullable(),
    /** The words of the item that it corrects, where those were others. */
    was: z.string().nullable(),
  })
  .meta({ id: "Evidence" });
export type EvidenceView = z.infer<typeof EvidenceView>;

export const EvidenceList = z
  .object({
    set: Hash,
    base: Hash.nullable(),
    items: z.array(EvidenceView),
    /** What the answer's set held and this one does not: items that were rejected. */
    rejected: z.array(EvidenceView),
  })
  .meta({ id: "EvidenceList" });
export type EvidenceList = z.infer<typeof EvidenceList>;

const seconds = z.number().min(0).max(LONGEST_VIDEO_S);
/** The set that the edit was made on; another one at hand means that somebody else was faster (409). */
const base = Hash.optional();

export const EDITABLE_KINDS = ["caption", "text", "equation", "subtitle"] as const;

export const NewEvidence = z
  .strictObject({
    kind: z.enum(EDITABLE_KINDS),
    start_s: seconds,
    end_s: seconds,
    text: z.string().min(1).max(WORDS),
    /** The clip that a caption describes, by the number on its title card. */
    clip: z.int().positive().max(10_000).optional(),
    base,
  })
  .meta({ id: "NewEvidence" });
export type NewEvidence = z.infer<typeof NewEvidence>;

/** Of an item that was rejected: puts it back, with the changes. */
export const EvidencePatch = z
  .strictObject({
    text: z.string().min(1).max(WORDS).optional(),
    start_s: seconds.optional(),
    end_s: seconds.optional(),
    base,
  })
  .meta({ id: "EvidencePatch" });
export type EvidencePatch = z.infer<typeof EvidencePatch>;

export const StrategyView = z
  .object({
    name: StrategyName,
    /** One sentence for a person. */
    summary: z.string(),
    /** Whether it asks a model. */
    needs_model: z.boolean(),
    /** Whether it can reason over corrected evidence. */
    over_evidence: z.boolean(),
  })
  .meta({ id: "Strategy" });

/** One setting, for a form. */
export const SettingView = z.object({
  path: z.string(),
  description: z.string(),
  kind: z.enum(["boolean", "number", "string", "choice"]),
  choices: z.array(z.string()).nullable(),
  nullable: z.boolean(),
  default: z.unknown(),
  /** Strategies that read it; null: all of them. */
  strategies: z.array(StrategyName).nullable(),
});

export const ServiceView = z
  .object({
    version: z.string(),
    models: z.object({
      /** `provider:model` taken where a question names none; null: there is no model. */
      model: z.string().nullable(),
      /** Models that a question may name; null: any. */
      allowed: z.array(z.string()).nullable(),
      /** Strategies that can be asked for: without a model those that need none. */
      strategies: z.array(StrategyName),
      /** The one taken where a question names none. */
      strategy: StrategyName,
      /** Why a model cannot be called (a key is missing), as a sentence; null: nothing stands in the way. */
      missing: z.string().nullable(),
    }),
    /** Every strategy, for a form. */
    strategies: z.array(StrategyView),
    settings: z.array(SettingView),
    limits: z.object({
      /** Bytes of one upload, and of all of them. */
      upload: z.int(),
      /** Bytes that the caller may keep: videos and what was derived from them. */
      quota: z.int(),
      used: z.int(),
      open_uploads: z.int(),
      /** Questions of one caller that may wait or run at once; null: any. */
      in_flight: z.int().nullable(),
      /** Dollars a day of this caller; null: any. */
      cost_a_day: z.number().nullable(),
    }),
    /** Hosts that a video may be fetched from by its URL. */
    hosts: z.array(z.string()),
    reports: z.boolean(),
    /** Whether a token is asked for, and the name of the caller's. */
    token: z.boolean(),
    caller: z.string().nullable(),
  })
  .meta({ id: "Service" });
export type ServiceView = z.infer<typeof ServiceView>;

export const NewSession = z
  .strictObject({ token: z.string().min(1).max(500) })
  .meta({ id: "NewSession" });
export const SessionView = z.object({ name: z.string() }).meta({ id: "Session" });

export const ReportView = z.object({ name: z.string(), size: z.int(), modified_at: z.number() });

/** What `?as=json` exports: everything about one question, to be kept. */
export const Export = z
  .object({
    video: VideoView,
    question: QuestionView,
    evidence: EvidenceList.nullable(),
  })
  .meta({ id: "Export" });
