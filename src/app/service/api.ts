import { z } from "zod";
import { Answer, Evidence, FrameRef, Hash, Question, TASKS, Usage } from "../../core/shapes.ts";
import { KEY_ROLES } from "./options.ts";

/*
 * The zod schemas of all requests and responses. The route definitions and `/openapi.json` are built from them.
 * Times are seconds from the start of the video; instants (`..._at`) are RFC 3339 strings in UTC.
 */

/** A random id that the service assigns. */
export const Id = z.string().regex(/^[A-Za-z0-9_-]{16,40}$/, { error: "an id of this service" });

/** An instant, RFC 3339 in UTC: `2026-11-21T09:30:00.000Z`. */
export const Instant = z
  .string()
  .meta({ format: "date-time", examples: ["2026-11-21T09:30:00.000Z"] });

/** The instant of `ms` milliseconds since 1970. */
export function instantOf(ms: number): string {
  return new Date(ms).toISOString();
}

const StrategyName = z.string().meta({
  id: "StrategyName",
  description: "The name of a strategy. `GET /api/v1/service` lists them.",
});

/** Maximum lengths of texts in characters: names, and longer texts. */
const NAME_LENGTH = 300;
const TEXT_LENGTH = 20_000;

/** An RFC 9457 problem. `kind`: the `FailureKind`, or a kind of an HTTP error. `offset`: of an upload, with status 409. */
export const Problem = z
  .looseObject({
    type: z.string(),
    title: z.string(),
    status: z.int(),
    detail: z.string(),
    instance: z.string().meta({
      description: "`urn:request:ID`, with the id of the log and of the `X-Request-Id` header.",
    }),
    kind: z.string(),
    offset: z.int().optional(),
  })
  .meta({
    id: "Problem",
    description:
      "An RFC 9457 problem. `kind` names the reason for programs, `detail` says in one sentence what is wrong and what to do. `offset`: of an upload, with status 409.",
  });
export type Problem = z.infer<typeof Problem>;

export const VideoView = z
  .object({
    id: Id,
    name: z.string().meta({ description: "The file name from the request. Untrusted: escape it." }),
    duration_s: z.number(),
    width: z
      .int()
      .nullable()
      .meta({ description: "Pixels of the frame after rotation; null without a video stream." }),
    height: z.int().nullable(),
    size: z.int().meta({ description: "Bytes." }),
    created_at: Instant,
    questions: z.int().meta({ description: "Number of questions about the video." }),
    tags: z.array(z.string()),
  })
  .meta({ id: "Video", description: "A video of the caller." });
export type VideoView = z.infer<typeof VideoView>;

const Name = z.string().trim().min(1).max(NAME_LENGTH);
const MAX_TAGS = 20;
export const Tag = z.string().trim().min(1).max(50);

/** A tag of the caller's videos. */
export const TagView = z.object({ tag: z.string(), videos: z.int() }).meta({ id: "Tag" });

/** Changes of a video. `tags` replaces all its tags. */
export const VideoPatch = z
  .strictObject({ name: Name.optional(), tags: z.array(Tag).max(MAX_TAGS).optional() })
  .meta({ id: "VideoPatch", description: "Changes of a video. `tags` replaces all its tags." });

/** Videos to delete with all data derived from them. */
export const BulkDelete = z
  .strictObject({ ids: z.array(Id).min(1).max(200) })
  .meta({ id: "BulkDelete", description: "Videos to delete with all data derived from them." });

/** `missing`: ids without a video of the caller. */
export const BulkDeleted = z
  .object({ deleted: z.array(Id), missing: z.array(Id) })
  .meta({ id: "BulkDeleted", description: "`missing`: ids without a video of the caller." });

export const NewUpload = z
  .strictObject({ name: z.string().min(1).max(NAME_LENGTH), size: z.int().positive() })
  .meta({
    id: "NewUpload",
    description: "Name and size in bytes of a file that is sent in parts.",
  });

/** `offset`: bytes that arrived. `video`: set when the upload is complete and valid. */
export const UploadView = z
  .object({ id: Id, offset: z.int(), size: z.int(), video: VideoView.nullable() })
  .meta({
    id: "Upload",
    description:
      "`offset`: bytes that arrived. `video`: set when the upload is complete and valid.",
  });
export type UploadView = z.infer<typeof UploadView>;

export const FromUrl = z
  .strictObject({
    url: z.string().min(1).max(2000),
    name: z.string().min(1).max(NAME_LENGTH).optional(),
  })
  .meta({ id: "FromUrl", description: "Address of a video on a host that the operator allows." });

export const SettingsGiven = z.record(z.string().max(100), z.unknown()).meta({
  id: "Settings",
  description:
    "Settings by path (`recognition.frames`) or nested. `GET /api/v1/service` lists those that a request may set.",
});

export const NewQuestion = z
  .strictObject({
    text: z
      .string()
      .max(TEXT_LENGTH)
      .default("")
      .meta({ description: "May be empty if `goal` is set." }),
    options: z.array(z.string().min(1).max(TEXT_LENGTH)).min(2).max(26).optional(),
    task: z.enum(TASKS).optional(),
    goal: z.string().min(1).max(TEXT_LENGTH).optional().meta({
      description: "The goal of the procedure that the shuffled clips show, for the task `order`.",
    }),
    follows: Id.optional().meta({
      description:
        "An answered question about the same video that this one follows: the model is told of it and its answer.",
    }),
    settings: SettingsGiven.optional(),
  })
  .meta({
    id: "NewQuestion",
    description:
      "A question about a video. Options make it a multiple-choice question; a goal asks for the order of shuffled clips.",
  });
export type NewQuestion = z.infer<typeof NewQuestion>;

/** A question whose expected calls, price and time are asked for. */
export const NewEstimate = z
  .strictObject({ task: z.enum(TASKS).optional(), settings: SettingsGiven.optional() })
  .meta({ id: "NewEstimate" });
export type NewEstimate = z.infer<typeof NewEstimate>;

/** What a question would take, without retries. Stored results of earlier questions make it less. */
export const EstimateView = z
  .object({
    calls: z.int().nullable().meta({
      description:
        "Model calls, at most; null if they depend on the video, or the strategy does not plan them.",
    }),
    exact: z.boolean().meta({ description: "Whether `calls` is exact." }),
    frames: z.int().nullable().meta({ description: "Frames sent, at most." }),
    tokens: z.object({ input: z.int(), output_most: z.int() }).nullable(),
    cost: z.object({ about: z.number(), most: z.number() }).nullable().meta({
      description:
        "Dollars with replies of a usual length, and with the longest; null if a price is not known.",
    }),
    seconds: z.number().nullable().meta({
      description:
        "Median duration of the caller's last questions with this strategy, model and task; null before the first.",
    }),
    answered: z.int().meta({ description: "Number of these questions." }),
  })
  .meta({ id: "Estimate" });
export type EstimateView = z.infer<typeof EstimateView>;

/** The uploaded subtitle file of a video; `uploaded` false: there is none. */
export const SubtitlesView = z
  .object({
    uploaded: z.boolean(),
    cues: z.int(),
    skipped: z.int().meta({ description: "Invalid cues, which are not used." }),
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
    answer: reviewedAnswer.meta({
      description: "The right answer: the approved answer, or the correction.",
    }),
    note: z.string().nullable(),
    by: z.string().meta({ description: "The reviewer: the name of the key, or `person`." }),
    reviewed_at: Instant,
  })
  .meta({ id: "Review", description: "The verdict of a person about an answer." });
export type Review = z.infer<typeof Review>;

/** A corrected answer is a letter for `choice`, clip numbers for `order`, text for `open`. */
export const NewReview = z
  .strictObject({
    verdict: z.enum(VERDICTS),
    answer: reviewedAnswer.optional(),
    note: z.string().max(TEXT_LENGTH).optional(),
  })
  .meta({
    id: "NewReview",
    description:
      "A verdict. A corrected answer is a letter for `choice`, clip numbers for `order`, text for `open`.",
  });
export type NewReview = z.infer<typeof NewReview>;

export const UsageView = Usage.meta({
  id: "Usage",
  description:
    "Calls, frames and tokens of models, and dollars: `cost` as if nothing had been stored, `paid` what was spent.",
});

export const AnswerView = Answer.extend({ usage: UsageView }).meta({
  id: "Answer",
  description: "The answer of a strategy, with what it cites and what it cost.",
});
/** The question as it was understood: with its task, and letters for the options. */
export const AskedView = Question.omit({ id: true, video: true }).meta({
  id: "Asked",
  description: "The question as it was understood: with its task, and letters for the options.",
});

/** A clip of an order question: its number on the title card, and its time in the video. */
export const ClipView = z
  .object({ number: z.int().positive(), start_s: z.number(), end_s: z.number() })
  .meta({
    id: "Clip",
    description:
      "A clip of an order question: its number on the title card, and its time in the video.",
  });
export type ClipView = z.infer<typeof ClipView>;

export const QuestionView = z
  .object({
    id: Id,
    video: Id,
    asked: AskedView.meta({ description: "The task is filled in, and options have letters." }),
    strategy: StrategyName,
    model: z.string().nullable(),
    settings: z
      .record(z.string(), z.unknown())
      .meta({ description: "Settings that differ from the defaults, by path." }),
    state: z.enum(STATES),
    answer: AnswerView.nullable(),
    failure: z
      .object({ kind: z.string(), message: z.string() })
      .nullable()
      .meta({ description: "The reason of a failure, as a sentence." }),
    set: Hash.nullable().meta({
      description: "The current evidence set: that of the answer, or of the last correction.",
    }),
    edited: z.boolean().meta({ description: "Whether the evidence was edited after the answer." }),
    from: Id.nullable().meta({
      description: "The question whose edited evidence this question reasons over.",
    }),
    follows: Id.nullable().meta({ description: "The question that this one follows in a thread." }),
    review: Review.nullable().meta({
      description: "The settled review: of one person, or of those who agree.",
    }),
    clips: z.array(ClipView).nullable().meta({
      description:
        "All clips of an order question by number, those that the answer leaves out included; null until they are known.",
    }),
    conflict: z.boolean().meta({ description: "Whether reviewers disagree." }),
    ratings: z.int().meta({ description: "Number of people who reviewed the answer." }),
    stages: z
      .array(z.object({ stage: z.string(), usage: UsageView }))
      .meta({ description: "Usage of the last run by stage, in the order of the stages." }),
    timings: z.array(z.object({ stage: z.string(), seconds: z.number() })).meta({
      description: "Seconds of each stage of the last run, in the order in which they ended.",
    }),
    usage: UsageView,
    seconds: z
      .number()
      .nullable()
      .meta({ description: "Duration of the last run in seconds; null until it ends." }),
    created_at: Instant,
  })
  .meta({
    id: "Question",
    description: "A question, its state, and its answer once there is one.",
  });
export type QuestionView = z.infer<typeof QuestionView>;

/** A question in a list of several videos. */
export const ListedQuestion = QuestionView.extend({
  video_name: z.string().meta({ description: "The name of its video. Untrusted: escape it." }),
}).meta({ id: "ListedQuestion" });

export const EvidenceView = z
  .object({
    ...Evidence.omit({ video: true }).shape,
    frame: FrameRef.omit({ video: true }).optional(),
    name: z.string().meta({
      description:
        "`E1`, `E2` ...: the name in prompts and replies. A correction keeps the name; no name is given twice.",
    }),
    cited: z.boolean().meta({ description: "Whether the answer cites it." }),
    thumbnail: z.string().nullable().meta({ description: "URL of a thumbnail." }),
    was: z
      .string()
      .nullable()
      .meta({ description: "The text before the correction, if the text was corrected." }),
  })
  .meta({ id: "Evidence", description: "An observation in the video, with its source." });
export type EvidenceView = z.infer<typeof EvidenceView>;

export const EvidenceList = z
  .object({
    set: Hash,
    base: Hash.nullable(),
    items: z.array(EvidenceView),
    rejected: z
      .array(EvidenceView)
      .meta({ description: "Items of the answer's set that were rejected." }),
    basis: z.array(EvidenceView).meta({
      description:
        "What the answer cites, and its best matches, as they were when it was given. Edits do not change them.",
    }),
  })
  .meta({ id: "EvidenceList", description: "The current evidence set of a question." });
export type EvidenceList = z.infer<typeof EvidenceList>;

export const StrategyView = z
  .object({
    name: StrategyName,
    summary: z.string().meta({ description: "One sentence." }),
    needs_model: z.boolean().meta({ description: "Whether it calls a model." }),
    over_evidence: z
      .boolean()
      .meta({ description: "Whether it can reason over corrected evidence." }),
  })
  .meta({ id: "Strategy", description: "A way to answer questions." });

/** One setting, for a form. */
export const SettingView = z
  .object({
    path: z.string(),
    description: z.string(),
    kind: z.enum(["boolean", "number", "string", "choice"]),
    choices: z.array(z.string()).nullable(),
    nullable: z.boolean(),
    default: z.unknown(),
    strategies: z
      .array(StrategyName)
      .nullable()
      .meta({ description: "Strategies that read it; null: all of them." }),
    tasks: z
      .array(z.enum(TASKS))
      .nullable()
      .meta({ description: "Tasks whose questions read it; null: all of them." }),
  })
  .meta({ id: "Setting", description: "One setting, for a form." });

export const ServiceView = z
  .object({
    version: z.string(),
    models: z.object({
      model: z
        .string()
        .nullable()
        .meta({ description: "The default `provider:model`; null: no model is configured." }),
      allowed: z
        .array(z.string())
        .nullable()
        .meta({ description: "Models that a question may name; null: any." }),
      strategies: z.array(StrategyName).meta({
        description: "Strategies that a question may name: without a model, those that need none.",
      }),
      strategy: StrategyName.meta({ description: "The default strategy." }),
      missing: z.string().nullable().meta({
        description:
          "The reason why the model cannot be called, such as a missing API key; null: it can be called.",
      }),
    }),
    strategies: z.array(StrategyView).meta({ description: "All strategies, for a form." }),
    settings: z.array(SettingView),
    limits: z.object({
      upload: z.int().meta({ description: "Maximum bytes of one upload." }),
      quota: z.int().meta({
        description: "Bytes that the caller may store: videos and the data derived from them.",
      }),
      used: z.int().meta({
        description:
          "Bytes that the caller stores, as far as they are counted: after a start, counting takes seconds.",
      }),
      open_uploads: z.int(),
      in_flight: z.int().nullable().meta({
        description: "Maximum queued and running questions of the caller; null: no limit.",
      }),
      cost_a_day: z
        .number()
        .nullable()
        .meta({ description: "Maximum dollars a day of the caller; null: no limit." }),
    }),
    hosts: z.array(z.string()).meta({ description: "Hosts from which a video may be fetched." }),
    reports: z.boolean(),
    reviews: z.object({ raters: z.int(), blind: z.boolean() }).meta({
      description:
        "How answers are reviewed: verdicts that each needs, and whether reviewers see no answer before their own.",
    }),
    human_study: z.boolean().meta({ description: "Whether the service asks a human study." }),
    token: z.boolean().meta({
      description: "`token`: whether a token is required. `caller`: the name of the caller's key.",
    }),
    caller: z.string().nullable(),
    roles: z
      .array(z.enum(KEY_ROLES))
      .meta({ description: "What the caller's key may do; `operate` includes the other roles." }),
  })
  .meta({ id: "Service", description: "Models, strategies, settings and limits." });
export type ServiceView = z.infer<typeof ServiceView>;

export const NewSession = z
  .strictObject({ token: z.string().min(1).max(500) })
  .meta({ id: "NewSession", description: "The token or key to sign in with." });
export const SessionView = z
  .object({ name: z.string() })
  .meta({ id: "Session", description: "The key of the session." });

export const ReportView = z
  .object({ name: z.string(), size: z.int(), modified_at: Instant })
  .meta({ id: "Report", description: "An evaluation report." });

/** The problem of an edit that is based on an old version (412), with the current state. */
export const ChangedProblem = Problem.extend({
  kind: z.literal("changed"),
  current: z.union([EvidenceList, Review, z.null()]),
}).meta({
  id: "ChangedProblem",
  description:
    "The problem of an edit that is based on an old version (412), with the current state.",
});

/** The export of a question with `?as=json`. */
export const Export = z
  .object({
    video: VideoView,
    question: QuestionView,
    evidence: EvidenceList.nullable(),
  })
  .meta({ id: "Export", description: "The export of a question with `?as=json`." });
