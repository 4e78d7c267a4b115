import { z } from "zod";
import type { RatingRow } from "../../core/ratings.ts";
import {
  AskedView,
  ClipView,
  Id,
  Instant,
  instantOf,
  NewReview,
  QuestionView,
  reviewedAnswer,
  VERDICTS,
  VideoView,
} from "./api.ts";
import { requestBody } from "./api-shared.ts";

/* Schemas of the review queue: verdicts of several raters about one answer. */

/** A rater's name, where there are no keys; with keys, it is the name of the key. */
const RaterName = z
  .string()
  .regex(/^[\w.@-]{1,64}$/)
  .optional()
  .meta({ description: "Name of the rater, if the service has no keys. Default: `person`" });

export const RaterQuery = z.strictObject({ rater: RaterName });

export const QueueQuery = z.strictObject({
  rater: RaterName,
  of: z
    .enum(["open", "conflict"])
    .default("open")
    .meta({ description: "Answers without a settled review, or those that raters disagree about" }),
  scope: z.enum(["own", "all"]).optional().meta({
    description: "Questions of this key, or of all keys. Default: `all` with the role `review`",
  }),
  blind: z
    .stringbool()
    .default(false)
    .meta({ description: "Whether the answer is hidden; always if the operator wants it" }),
  after: Id.optional().meta({ description: "Skips to the answer after this question" }),
  video: Id.optional(),
  strategy: z.string().max(200).optional(),
  model: z.string().max(300).optional(),
  since: z.iso.datetime({ offset: true }).optional(),
  until: z.iso.datetime({ offset: true }).optional(),
});

/** A verdict. Without `verdict`, the answer of the rater decides: `approved` if it equals the model's. */
export const NewRating = requestBody({
  ...NewReview.shape,
  verdict: z.enum(VERDICTS).optional(),
  seconds: z
    .number()
    .min(0)
    .max(86_400)
    .optional()
    .meta({ description: "Time taken; default: since the queue handed out the question" }),
  rater: RaterName,
}).meta({ id: "NewRating" });
export type NewRating = z.infer<typeof NewRating>;

export const RatingView = z
  .object({
    id: Id,
    rater: z.string(),
    verdict: z.enum(VERDICTS),
    answer: reviewedAnswer,
    note: z.string().nullable(),
    seconds: z.number().nullable(),
    blind: z.boolean().meta({ description: "Whether the rater saw no answer and no verdict" }),
    settles: z.boolean().meta({ description: "Whether it settled a conflict" }),
    rated_at: Instant,
    undone_at: Instant.nullable(),
  })
  .meta({ id: "Rating" });
export type RatingView = z.infer<typeof RatingView>;

/** A stored verdict as the API returns it. */
export function toRatingView({
  at,
  undone_at,
  question: _question,
  ...rating
}: RatingRow): RatingView {
  return {
    ...rating,
    verdict: rating.verdict === "approved" ? "approved" : "corrected",
    rated_at: instantOf(at),
    undone_at: undone_at === null ? null : instantOf(undone_at),
  };
}

/** All verdicts about one answer, oldest first, and what they result in. */
export const RatingList = z
  .object({ question: QuestionView, items: z.array(RatingView) })
  .meta({ id: "RatingList" });
export type RatingList = z.infer<typeof RatingList>;

export const NextReview = z
  .object({
    /** Null: nothing is left for this rater. */
    item: z
      .object({
        id: Id.meta({ description: "Id of the question" }),
        asked: AskedView,
        video: VideoView,
        blind: z.boolean(),
        clips: z.array(ClipView).nullable().meta({
          description: "The clips of an order question by number; null until they are known",
        }),
        question: QuestionView.nullable().meta({ description: "Null in a blind review" }),
        ratings: z
          .array(RatingView)
          .meta({ description: "Verdicts so far; empty in a blind review" }),
      })
      .nullable(),
    progress: z.object({
      total: z.int().meta({ description: "Answered questions" }),
      settled: z.int(),
      conflicts: z.int(),
      mine: z.int().meta({ description: "Rated by this rater" }),
      raters: z.int().meta({ description: "Verdicts that each answer needs" }),
    }),
  })
  .meta({ id: "NextReview" });
export type NextReview = z.infer<typeof NextReview>;
