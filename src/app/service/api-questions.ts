import { z } from "zod";
import { Answer, Hash, Question, TASKS, Usage } from "../../core/shapes.ts";
import { Id, Instant, requestBody, StrategyName, TEXT_LENGTH } from "./api-shared.ts";

/* Schemas of questions, answers and reviews. */

export const SettingsGiven = z.record(z.string().max(100), z.unknown()).meta({
  id: "Settings",
  description:
    "Settings by path (`recognition.frames`) or nested. `GET /api/v1/service` lists those that a request may set.",
});

export const NewQuestion = requestBody({
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
}).meta({
  id: "NewQuestion",
  description:
    "A question about a video. Options make it a multiple-choice question; a goal asks for the order of shuffled clips.",
});
export type NewQuestion = z.infer<typeof NewQuestion>;

/** A question whose expected calls, price and time are asked for. */
export const NewEstimate = requestBody({
  task: z.enum(TASKS).optional(),
  settings: SettingsGiven.optional(),
}).meta({ id: "NewEstimate" });
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
export const NewReview = requestBody({
  verdict: z.enum(VERDICTS),
  answer: reviewedAnswer.optional(),
  note: z.string().max(TEXT_LENGTH).optional(),
}).meta({
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
export const AskedView = Question.omit({ id: true, video: true, earlier: true }).meta({
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
