import type { QuestionRow } from "./service-rows.ts";

/* Verdicts of people about answers. Each verdict is a row that is never changed, except that it may be taken back. */

/** The verdict of one rater about the answer of one question. */
export interface RatingRow {
  id: string;
  question: string;
  /** The name of the rater. */
  rater: string;
  /** `approved` or `corrected`. */
  verdict: string;
  /** The right answer according to the rater. */
  answer: string | number[];
  note: string | null;
  /** Seconds that the rater took; null if unknown. */
  seconds: number | null;
  /** Milliseconds since 1970. */
  at: number;
  /** Whether the rater saw neither the answer nor other verdicts. */
  blind: boolean;
  /** Whether the verdict settles a conflict of others. */
  settles: boolean;
  /** When the rater took it back; null: it counts. */
  undone_at: number | null;
}

/** Answers that can be rated. Missing filters match all. */
export interface RatingFilter {
  /** Owner of the questions; null: all owners. */
  owner: string | null;
  upload?: string | undefined;
  strategy?: string | undefined;
  model?: string | undefined;
  since?: number | undefined;
  until?: number | undefined;
}

/** Numbers of answered questions. */
export interface RatingProgress {
  total: number;
  settled: number;
  conflicts: number;
  /** Rated by the rater. */
  mine: number;
}

/** Verdicts about answers, and the queue of answers that a rater has not rated. */
export interface Ratings {
  /**
   * Writes a verdict and the question that it changes, both or neither; false, and nothing is written, if the question was
   * removed.
   */
  addRating(rating: RatingRow, question: QuestionRow): Promise<boolean>;
  /** Marks a verdict as taken back and writes the question, as `addRating` does. */
  undoRating(id: string, at: number, question: QuestionRow): Promise<boolean>;
  /** In the order in which they were given, with those that were taken back. */
  ratingsOf(question: string): Promise<RatingRow[]>;
  /**
   * Questions that the rater has not rated, oldest first: `open` without a settled verdict and with fewer than `raters`
   * verdicts, or `conflict` with verdicts that disagree. `after`: the id of a question to continue after.
   */
  ratingQueue(
    filter: RatingFilter,
    queue: {
      of: "open" | "conflict";
      rater: string;
      raters: number;
      after?: string | undefined;
      limit: number;
    },
  ): Promise<QuestionRow[]>;
  ratingProgress(filter: RatingFilter, rater: string): Promise<RatingProgress>;
}
