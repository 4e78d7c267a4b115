import { z } from "zod";
import type { QuestionRow } from "../../core/contracts.ts";
import { Failure } from "../../core/errors.ts";
import { Answer, EarlierQuestion, Hash, NO_USAGE, Question, Usage } from "../../core/shapes.ts";
import { ClipView, instantOf, type QuestionView, Review, STATES } from "./api.ts";
import { sourceName } from "./event-view.ts";

/** A review as it is stored: `at` is milliseconds since 1970. */
export const StoredReview = Review.omit({ reviewed_at: true }).extend({ at: z.number() });
export type StoredReview = z.infer<typeof StoredReview>;

/** One question of the service, stored as JSON in its row. */
export const QuestionRecord = z.object({
  asked: Question,
  strategy: z.string(),
  model: z.string().nullable(),
  /** Settings of the request, by path. The operator's settings are added when the question runs. */
  given: z.record(z.string(), z.unknown()),
  state: z.enum(STATES),
  answer: Answer.nullable(),
  failure: z.object({ kind: z.string(), message: z.string() }).nullable(),
  /** The current evidence set. */
  set: Hash.nullable(),
  /** The evidence set to reason over; null: recognise evidence in the video. */
  over: Hash.nullable(),
  from: z.string().nullable(),
  /** The question before this one in its thread, and what the model is told of the thread. */
  follows: z.string().optional(),
  earlier: z.array(EarlierQuestion).optional(),
  /** The settled review. */
  review: StoredReview.nullable(),
  /** Clips of an order question, once they are known. */
  clips: z.array(ClipView).optional(),
  /** Numbers of clips that nobody described, for reasoning over `over`. */
  undescribed: z.array(z.int()).optional(),
  /** Whether reviewers disagree. Missing in records of older versions, as is `ratings`. */
  conflict: z.boolean().optional(),
  /** Number of people who reviewed the answer. */
  ratings: z.int().optional(),
  /** Usage of the last run, by stage. */
  stages: z.array(z.object({ stage: z.string(), usage: Usage })),
  timings: z.array(z.object({ stage: z.string(), seconds: z.number() })).default([]),
  usage: Usage,
  started_at: z.number().nullable(),
  ended_at: z.number().nullable(),
});
export type QuestionRecord = z.infer<typeof QuestionRecord>;

/** The parsed row of a question. */
export interface StoredQuestion extends Omit<QuestionRow, "json" | "open"> {
  record: QuestionRecord;
}

/** Parses the row of a question. Throws `Failure` `store-damaged`. */
export function parseStoredQuestion({ json, open: _open, ...row }: QuestionRow): StoredQuestion {
  let parsed: ReturnType<typeof QuestionRecord.safeParse> | undefined;
  try {
    parsed = QuestionRecord.safeParse(JSON.parse(json));
  } catch {
    parsed = undefined;
  }
  if (parsed?.success) return { ...row, record: parsed.data };
  throw new Failure("store-damaged", `The stored question ${row.id} is damaged.`, {
    id: row.id,
  });
}

export function toQuestionRow({ record, ...row }: StoredQuestion): QuestionRow {
  return { ...row, open: isOpen(record), json: JSON.stringify(record) };
}

/** Whether the question is queued or running. */
export function isOpen({ state }: Pick<QuestionRecord, "state">): boolean {
  return state === "queued" || state === "running";
}

export function newQuestionRecord(
  about: Pick<QuestionRecord, "asked" | "strategy" | "model" | "given" | "follows" | "earlier">,
  basis: Pick<QuestionRecord, "from" | "over" | "clips" | "undescribed"> = {
    from: null,
    over: null,
  },
): QuestionRecord {
  return {
    ...about,
    ...basis,
    state: "queued",
    answer: null,
    failure: null,
    set: null,
    review: null,
    stages: [],
    timings: [],
    usage: NO_USAGE,
    started_at: null,
    ended_at: null,
  };
}

/** The question as the API returns it. */
export function toQuestionView({ id, upload, created_at, record }: StoredQuestion): QuestionView {
  const {
    asked,
    given,
    over: _over,
    earlier: _earlier,
    undescribed: _undescribed,
    follows = null,
    clips = null,
    started_at,
    ended_at,
    review,
    ...shown
  } = record;
  const { id: _id, video: _video, ...question } = asked;
  return {
    id,
    video: upload,
    created_at: instantOf(created_at),
    ...shown,
    answer: shown.answer === null ? null : withSourceName(shown.answer, upload),
    follows,
    asked: question,
    review: review === null ? null : toReviewView(review),
    conflict: record.conflict ?? false,
    ratings: record.ratings ?? (review === null ? 0 : 1),
    settings: given,
    clips,
    edited: record.answer !== null && record.set !== record.answer.set,
    seconds: started_at === null || ended_at === null ? null : (ended_at - started_at) / 1000,
  };
}

function withSourceName(answer: Answer, upload: string): Answer {
  const { diagnostics } = answer;
  if (typeof diagnostics?.subtitles !== "string") return answer;
  const subtitles = sourceName(diagnostics.subtitles, upload);
  return { ...answer, diagnostics: { ...diagnostics, subtitles } };
}

/** A stored review as the API returns it. */
export function toReviewView({ at, ...review }: StoredReview): Review {
  return { ...review, reviewed_at: instantOf(at) };
}
