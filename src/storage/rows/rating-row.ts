import type { RatingRow } from "../../core/ratings.ts";
import { fromJson } from "./from-json.ts";

/** A row of the table `ratings`. */
export function ratingRow(row: Record<string, unknown>): RatingRow {
  return {
    id: String(row.id),
    question: String(row.question),
    rater: String(row.rater),
    verdict: String(row.verdict),
    answer: fromJson(String(row.answer), "the answer of a review") as RatingRow["answer"],
    note: row.note === null ? null : String(row.note),
    seconds: row.seconds === null ? null : Number(row.seconds),
    at: Number(row.at),
    blind: row.blind === 1,
    settles: row.settles === 1,
    undone_at: row.undone_at === null ? null : Number(row.undone_at),
  };
}
