import { z } from "zod";
import { strategies } from "../../../graphs/define-strategy.ts";
import { Answer, Evidence, FrameRef, Hash, Question, TASKS, Usage } from "../../core/shapes.ts";
import { KEY_ROLES } from "./options.ts";

/*
 * The zod schemas of all requests and responses. The route definitions and `/openapi.json` are built from them.
 * Times are seconds from the start of the video; instants (`..._at`) are RFC 3339 strings in UTC.
 */

/** A random id that the service assigns. */
export const Id = z.string().regex(/^[A-Za-z0-9_-]{16,40}$/, { error: "an id of this service" });

/** An instant, RFC 3339 in UTC: `2026-11-21T09:30:00.000Z`. */
export const Instant = z.string().meta({ format: "date-time" });

/** The instant of `ms` milliseconds since 1970. */
export function instantOf(ms: number): string {
  return new Date(ms).toISOString();
}

/** One of the strategies that are registered when the service starts. */
const StrategyName = z.enum(strategies.names());

/** Maximum lengths of texts in characters: names, and longer texts. */
const NAME_LENGTH = 300;
const TEXT_LENGTH = 20_000;
const MAX_VIDEO_S = 1_000_000;

/** An RFC 9457 problem. `kind`: the `FailureKind`, or a kind of an HTTP error. `offset`: of an upload, with status 409. */
export const Problem = z
  .looseObject({
    type: z.string(),
    title: z.string(),
    status: z.int(),
    detail: z.string(),
    /** `urn:request:ID`, with the id of the log and of the `X-Request-Id` header. */
    instance: z.string(),
    kind: z.string(),
    offset: z.int().optional(),
  })
  .meta({ id: "Problem" });
export type Problem = z.infer<typeof Problem>;

export const VideoView = z
  .object({
    id: Id,
    /** The file name from the request. Untrusted: escape it. */
    name: z.string(),
    duration_s: z.number(),
    /** Pixels of the frame after rotation; null without a video stream. */
    width: z.int().nullable(),
    height: z.int().nullable(),
    /** Bytes. */
    size: z.int(),
    created_at: Instant,
    /** Number of questions about the video. */
    questions: z.int(),
    tags: z.array(z.string()),
  })
  .meta({ id: "Video" });
export type VideoView = z.infer<typeof VideoView>;

const Name = z.string().trim().min(1).max(NAME_LENGTH);
const MAX_TAGS = 20;
export const Tag = z.string().trim().min(1).max(50);

/** A tag of the caller's videos. */
export const TagView = z.object({ tag: z.string(), videos: z.int() }).meta({ id: "Tag" });

/** Changes of a video. `tags` replaces all its tags. */
export const VideoPatch = z
  .strictObject({ name: Name.optional(), tags: z.array(Tag).max(MAX_TAGS).optional() })
  .meta({ id: "VideoPatch" });

/** Videos to delete with all data derived from them. */
export const BulkDelete = z
  .strictObject({ ids: z.array(Id).min(1).max(200) })
  .meta({ id: "BulkDelete" });

/** `missing`: ids without a video of the caller. */
export const BulkDeleted = z
  .object({ deleted: z.array(Id), missing: z.array(Id) })
  .meta({ id: "BulkDeleted" });

export const NewUpload = z
  .strictObject({ name: z.string().min(1).max(NAME_LENGTH), size: z.int().positive() })
  .meta({ id: "NewUpload" });

/** `offset`: bytes that arrived. `video`: set when the upload is complete and valid. */
export const UploadView = z
  .object({ id: Id, offset: z.int(), size: z.int(), video: VideoView.nullable() })
  .meta({ id: "Upload" });
export type UploadView = z.infer<typeof UploadView>;

export const FromUrl = z
  .strictObject({
    url: z.string().min(1).max(2000),
    name: z.string().min(1).max(NAME_LENGTH).optional(),
  })
  .meta({ id: "FromUrl" });

/** Settings by path (`recognition.frames`) or nested. `GET /api/v1/service` lists those that a request may set. */
export const SettingsGiven = z.record(z.string().max(100), z.unknown());

export const NewQuestion = z
  .strictObject({
    /** May be empty if `goal` is set. */
    text: z.string().max(TEXT_LENGTH).default(""),
    options: z.array(z.string().min(1).max(TEXT_LENGTH)).min(2).max(26).optional(),
    task: z.enum(TASKS).optional(),
    /** The goal of the procedure that the shuffled clips show, for the task `order`. */
    goal: z.string().min(1).max(TEXT_LENGTH).optional(),
    /** An answered question about the same video that this one follows: the model is told of it and its answer. */
    follows: Id.optional(),
    settings: SettingsGiven.optional(),
  })
  .meta({ id: "NewQuestion" });
export type NewQuestion = z.infer<typeof NewQuestion>;

/** A question whose expected calls, price and time are asked for. */
export const NewEstimate = z
  .strictObject({ task: z.enum(TASKS).optional(), settings: SettingsGiven.optional() })
  .meta({ id: "NewEstimate" });
export type NewEstimate = z.infer<typeof NewEstimate>;

/** What a question would take, without retries. Stored results of earlier questions make it less. */
export const EstimateView = z
  .object({
    /** Model calls, at most; null if they depend on the video, or the strategy does not plan them. */
    calls: z.int().nullable(),
    /** Whether `calls` is exact. */
    exact: z.boolean(),
    /** Frames sent, at most. */
    frames: z.int().nullable(),
    tokens: z.object({ input: z.int(), output_most: z.int() }).nullable(),
    /** Dollars with replies of a usual length, and with the longest; null if a price is not known. */
    cost: z.object({ about: z.number(), most: z.number() }).nullable(),
    /** Median duration of the caller's last questions with this strategy, model and task; null before the first. */
    seconds: z.number().nullable(),
    /** Number of these questions. */
    answered: z.int(),
  })
  .meta({ id: "Estimate" });
export type EstimateView = z.infer<typeof EstimateView>;

/** The uploaded subtitle file of a video; `uploaded` false: there is none. */
export const SubtitlesView = z
  .object({
    uploaded: z.boolean(),
    cues: z.int(),
    /** Invalid cues, which are not used. */
    skipped: z.int(),
  })
  .meta({ id: "Subtitles" });
export type SubtitlesView = z.infer<typeof SubtitlesView>;

export const STATES = ["queued", "running", "answered", "failed", "cancelled"] as const;
export type QuestionState = (typeof STATES)[number];

export const VERDICTS = ["approved", "corrected"] as const;
export const reviewedAnswer = z.union([
  z.string().min(1).max(TEXT_LENGTH),
  z.array(z.int().positive()).max(64),
]);

export const Review = z
  .object({
    verdict: z.enum(VERDICTS),
    /** The right answer: the approved answer, or the correction. */
    answer: reviewedAnswer,
    note: z.string().nullable(),
    /** The reviewer: the name of the key, or `person`. */
    by: z.string(),
    reviewed_at: Instant,
  })
  .meta({ id: "Review" });
export type Review = z.infer<typeof Review>;

/** A corrected answer is a letter for `choice`, clip numbers for `order`, text for `open`. */
export const NewReview = z
  .strictObject({
    verdict: z.enum(VERDICTS),
    answer: reviewedAnswer.optional(),
    note: z.string().max(TEXT_LENGTH).optional(),
  })
  .meta({ id: "NewReview" });
export type NewReview = z.infer<typeof NewReview>;

export const AnswerView = Answer.meta({ id: "Answer" });
/** The question as it was understood: with its task, and letters for the options. */
export const AskedView = Question.omit({ id: true, video: true }).meta({ id: "Asked" });

/** A clip of an order question: its number on the title card, and its time in the video. */
export const ClipView = z
  .object({ number: z.int().positive(), start_s: z.number(), end_s: z.number() })
  .meta({ id: "Clip" });
export type ClipView = z.infer<typeof ClipView>;

export const QuestionView = z
  .object({
    id: Id,
    video: Id,
    /** The task is filled in, and options have letters. */
    asked: AskedView,
    strategy: StrategyName,
    model: z.string().nullable(),
    /** Settings that differ from the defaults, by path. */
    settings: z.record(z.string(), z.unknown()),
    state: z.enum(STATES),
    answer: AnswerView.nullable(),
    /** The reason of a failure, as a sentence. */
    failure: z.object({ kind: z.string(), message: z.string() }).nullable(),
    /** The current evidence set: that of the answer, or of the last correction. */
    set: Hash.nullable(),
    /** Whether the evidence was edited after the answer. */
    edited: z.boolean(),
    /** The question whose edited evidence this question reasons over. */
    from: Id.nullable(),
    /** The question that this one follows in a thread. */
    follows: Id.nullable(),
    /** The settled review: of one person, or of those who agree. */
    review: Review.nullable(),
    /** All clips of an order question by number, those that the answer leaves out included; null until they are known. */
    clips: z.array(ClipView).nullable(),
    /** Whether reviewers disagree. */
    conflict: z.boolean(),
    /** Number of people who reviewed the answer. */
    ratings: z.int(),
    /** Usage of the last run by stage, in the order of the stages. */
    stages: z.array(z.object({ stage: z.string(), usage: Usage })),
    /** Seconds of each stage of the last run, in the order in which they ended. */
    timings: z.array(z.object({ stage: z.string(), seconds: z.number() })),
    usage: Usage,
    /** Duration of the last run in seconds; null until it ends. */
    seconds: z.number().nullable(),
    created_at: Instant,
  })
  .meta({ id: "Question" });
export type QuestionView = z.infer<typeof QuestionView>;

/** A question in a list of several videos. */
export const ListedQuestion = QuestionView.extend({
  /** The name of its video. Untrusted: escape it. */
  video_name: z.string(),
}).meta({ id: "ListedQuestion" });

export const EvidenceView = z
  .object({
    ...Evidence.omit({ video: true }).shape,
    frame: FrameRef.omit({ video: true }).optional(),
    /** `E1`, `E2` ...: the name in prompts and replies. A correction keeps the name; no name is given twice. */
    name: z.string(),
    /** Whether the answer cites it. */
    cited: z.boolean(),
    /** URL of a thumbnail. */
    thumbnail: z.string().nullable(),
    /** The text before the correction, if the text was corrected. */
    was: z.string().nullable(),
  })
  .meta({ id: "Evidence" });
export type EvidenceView = z.infer<typeof EvidenceView>;

export const EvidenceList = z
  .object({
    set: Hash,
    base: Hash.nullable(),
    items: z.array(EvidenceView),
    /** Items of the answer's set that were rejected. */
    rejected: z.array(EvidenceView),
    /** What the answer cites, and its best matches, as they were when it was given. Edits do not change them. */
    basis: z.array(EvidenceView),
  })
  .meta({ id: "EvidenceList" });
export type EvidenceList = z.infer<typeof EvidenceList>;

const seconds = z.number().min(0).max(MAX_VIDEO_S);

export const EDITABLE_KINDS = ["caption", "text", "equation", "subtitle", "speech"] as const;

export const NewEvidence = z
  .strictObject({
    kind: z.enum(EDITABLE_KINDS),
    start_s: seconds,
    end_s: seconds,
    text: z.string().min(1).max(TEXT_LENGTH),
    /** The clip that a caption describes, by the number on its title card. */
    clip: z.int().positive().max(10_000).optional(),
  })
  .meta({ id: "NewEvidence" });
export type NewEvidence = z.infer<typeof NewEvidence>;

/** Changes of an item. A rejected item is restored with the changes. */
export const EvidencePatch = z
  .strictObject({
    text: z.string().min(1).max(TEXT_LENGTH).optional(),
    start_s: seconds.optional(),
    end_s: seconds.optional(),
  })
  .meta({ id: "EvidencePatch" });
export type EvidencePatch = z.infer<typeof EvidencePatch>;

export const StrategyView = z
  .object({
    name: StrategyName,
    /** One sentence. */
    summary: z.string(),
    /** Whether it calls a model. */
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
      /** The default `provider:model`; null: no model is configured. */
      model: z.string().nullable(),
      /** Models that a question may name; null: any. */
      allowed: z.array(z.string()).nullable(),
      /** Strategies that a question may name: without a model, those that need none. */
      strategies: z.array(StrategyName),
      /** The default strategy. */
      strategy: StrategyName,
      /** The reason why the model cannot be called, such as a missing API key; null: it can be called. */
      missing: z.string().nullable(),
    }),
    /** All strategies, for a form. */
    strategies: z.array(StrategyView),
    settings: z.array(SettingView),
    limits: z.object({
      /** Maximum bytes of one upload. */
      upload: z.int(),
      /** Bytes that the caller may store: videos and the data derived from them. */
      quota: z.int(),
      used: z.int(),
      open_uploads: z.int(),
      /** Maximum queued and running questions of the caller; null: no limit. */
      in_flight: z.int().nullable(),
      /** Maximum dollars a day of the caller; null: no limit. */
      cost_a_day: z.number().nullable(),
    }),
    /** Hosts from which a video may be fetched. */
    hosts: z.array(z.string()),
    reports: z.boolean(),
    /** How answers are reviewed: verdicts that each needs, and whether reviewers see no answer before their own. */
    reviews: z.object({ raters: z.int(), blind: z.boolean() }),
    /** Whether the service asks a human study. */
    human_study: z.boolean(),
    /** `token`: whether a token is required. `caller`: the name of the caller's key. */
    token: z.boolean(),
    caller: z.string().nullable(),
    /** What the caller's key may do; `operate` includes the other roles. */
    roles: z.array(z.enum(KEY_ROLES)),
  })
  .meta({ id: "Service" });
export type ServiceView = z.infer<typeof ServiceView>;

export const NewSession = z
  .strictObject({ token: z.string().min(1).max(500) })
  .meta({ id: "NewSession" });
export const SessionView = z.object({ name: z.string() }).meta({ id: "Session" });

export const ReportView = z
  .object({ name: z.string(), size: z.int(), modified_at: Instant })
  .meta({ id: "Report" });

/** The problem of an edit that is based on an old version (412), with the current state. */
export const ChangedProblem = Problem.extend({
  kind: z.literal("changed"),
  current: z.union([EvidenceList, Review, z.null()]),
}).meta({ id: "ChangedProblem" });

/** The export of a question with `?as=json`. */
export const Export = z
  .object({
    video: VideoView,
    question: QuestionView,
    evidence: EvidenceList.nullable(),
  })
  .meta({ id: "Export" });
