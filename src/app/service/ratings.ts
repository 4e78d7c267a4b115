import type { ServiceStore } from "../../core/contracts.ts";
import type { RatingRow } from "../../core/ratings.ts";
import type { NewReview } from "./api.ts";
import type { ServiceOptions } from "./options.ts";
import { httpProblem, notFound } from "./problems.ts";
import { type QuestionRecord, type StoredQuestion, toQuestionRow } from "./question-record.ts";
import { readReview } from "./reviews.ts";
import { newId } from "./uploads.ts";

type ReviewRules = ServiceOptions["reviews"];

/** Who gives a verdict, and how. */
export interface Rater {
  name: string;
  /** Seconds that it took; null if unknown. */
  seconds: number | null;
  blind: boolean;
}

/** What the verdicts about an answer result in. */
type Outcome = Pick<QuestionRecord, "review" | "conflict" | "ratings">;

/**
 * Adds a verdict to a question and stores both. The verdict of a rater replaces the earlier one; of a conflict, the verdict
 * of another rater settles it. Throws as `readReview`, and a 404 problem if the question was removed meanwhile.
 */
export async function addRating(
  store: ServiceStore,
  question: StoredQuestion,
  given: NewReview,
  rater: Rater,
  { raters }: ReviewRules,
): Promise<RatingRow> {
  const before = await store.ratingsOf(question.id);
  const { verdict, answer, note, at } = readReview(question.record, given, rater.name);
  const isThird =
    question.record.conflict === true && !counting(before).some((one) => one.rater === rater.name);
  const rating: RatingRow = {
    ...{ id: newId(), question: question.id, rater: rater.name },
    ...{ verdict, answer, note, at, seconds: rater.seconds },
    // Whoever has reviewed the answer before has seen it.
    blind: rater.blind && !before.some((one) => one.rater === rater.name),
    settles: isThird,
    undone_at: null,
  };
  Object.assign(question.record, outcomeOf([...before, rating], raters));
  if (!(await store.addRating(rating, toQuestionRow(question)))) throw notFound("a question");
  return rating;
}

/** Takes back the rater's verdict `id`; the one before it counts again. Throws a 404 or 409 problem. */
export async function undoRating(
  store: ServiceStore,
  question: StoredQuestion,
  id: string,
  rater: string,
  { raters }: ReviewRules,
): Promise<void> {
  const all = await store.ratingsOf(question.id);
  const rating = all.find((one) => one.id === id && one.rater === rater);
  if (rating === undefined) throw httpProblem(404, "not-found", "You gave no review with this id.");
  if (rating.undone_at !== null)
    throw httpProblem(409, "undone", "The review was taken back already.");
  const at = Date.now();
  const after = all.map((one) => (one.id === id ? { ...one, undone_at: at } : one));
  Object.assign(question.record, outcomeOf(after, raters));
  if (!(await store.undoRating(id, at, toQuestionRow(question)))) throw notFound("a question");
}

/** The last verdict of each rater that was not taken back, in the order in which they were given. */
export function counting(ratings: readonly RatingRow[]): RatingRow[] {
  const last = new Map<string, RatingRow>();
  for (const rating of ratings) {
    if (rating.undone_at !== null) continue;
    last.delete(rating.rater);
    last.set(rating.rater, rating);
  }
  return [...last.values()];
}

/**
 * The settled review: the verdict that settled a conflict, or with at least `raters` verdicts the answer of more than half
 * of them. If there is none, they are in conflict.
 */
export function outcomeOf(all: readonly RatingRow[], raters: number): Outcome {
  const ratings = counting(all);
  const third = ratings.findLast(({ settles }) => settles);
  if (third !== undefined)
    return { review: reviewOf([third]), conflict: false, ratings: ratings.length };
  const groups = [...Map.groupBy(ratings, answerKey).values()];
  const most = groups.find((group) => group.length * 2 > ratings.length);
  const enough = ratings.length >= raters && ratings.length > 0;
  return {
    review: enough && most !== undefined ? reviewOf(most) : null,
    conflict: enough && most === undefined,
    ratings: ratings.length,
  };
}

function answerKey({ answer }: RatingRow): string {
  return typeof answer === "string"
    ? answer.normalize("NFKC").trim().toLowerCase()
    : answer.join(",");
}

function reviewOf(agreeing: readonly RatingRow[]): QuestionRecord["review"] {
  const last = agreeing.at(-1);
  if (last === undefined) return null;
  const { answer, at } = last;
  return {
    // All agree on the answer, so that the verdict differs only if the text of an open answer does.
    verdict: agreeing.some(({ verdict }) => verdict === "approved") ? "approved" : "corrected",
    answer,
    note: agreeing.findLast(({ note }) => note !== null)?.note ?? null,
    by: agreeing.map(({ rater }) => rater).join(", "),
    at,
  };
}
