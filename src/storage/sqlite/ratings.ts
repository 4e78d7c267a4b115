import type { DatabaseSync, SQLInputValue } from "node:sqlite";
import type { QuestionRow } from "../../core/contracts.ts";
import type { RatingFilter, Ratings } from "../../core/ratings.ts";
import { ratingRow } from "../rows/rating-row.ts";
import { questionRow } from "../rows/service-rows.ts";
import { guard, transaction } from "./transaction.ts";

/** Ratings that count: not taken back. */
const COUNTS = "ratings.question = asked.id AND ratings.undone_at IS NULL";

export function createRatings(
  db: DatabaseSync,
  editQuestion: (question: QuestionRow) => boolean,
): Ratings {
  const insert = db.prepare(
    `INSERT INTO ratings (id, question, rater, verdict, answer, note, seconds, at, blind, settles, undone_at)
     VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?)`,
  );
  const undo = db.prepare("UPDATE ratings SET undone_at = ? WHERE id = ?");
  const ofQuestion = db.prepare("SELECT * FROM ratings WHERE question = ? ORDER BY rowid");

  return {
    async addRating(rating, question) {
      return transaction(db, "noting a review", () => {
        if (!editQuestion(question)) return false;
        insert.run(
          rating.id,
          rating.question,
          rating.rater,
          rating.verdict,
          JSON.stringify(rating.answer),
          rating.note,
          rating.seconds,
          rating.at,
          rating.blind ? 1 : 0,
          rating.settles ? 1 : 0,
          rating.undone_at,
        );
        return true;
      });
    },
    async undoRating(id, at, question) {
      return transaction(db, "taking back a review", () => {
        if (!editQuestion(question)) return false;
        undo.run(at, id);
        return true;
      });
    },
    async ratingsOf(question) {
      return guard("listing reviews", () => ofQuestion.all(question)).map(ratingRow);
    },
    async ratingQueue(filter, { of, rater, raters, after, limit }) {
      const { sql, values } = whereAnswered(filter);
      sql.push(`NOT EXISTS (SELECT 1 FROM ratings WHERE ${COUNTS} AND rater = ?)`);
      values.push(rater);
      if (of === "conflict") sql.push("verdict = 'conflict'");
      else {
        sql.push(
          "verdict IS NULL",
          `(SELECT count(DISTINCT rater) FROM ratings WHERE ${COUNTS}) < ?`,
        );
        values.push(raters);
      }
      if (after !== undefined) {
        sql.push("(created_at, id) > (SELECT created_at, id FROM asked WHERE id = ?)");
        values.push(after);
      }
      const query = `SELECT * FROM asked WHERE ${sql.join(" AND ")} ORDER BY created_at, id LIMIT ?`;
      return guard("listing answers to review", () => db.prepare(query).all(...values, limit)).map(
        questionRow,
      );
    },
    async ratingProgress(filter, rater) {
      const { sql, values } = whereAnswered(filter);
      const query = `SELECT count(*) AS total,
          count(verdict) - sum(coalesce(verdict = 'conflict', 0)) AS settled,
          sum(coalesce(verdict = 'conflict', 0)) AS conflicts,
          sum(EXISTS (SELECT 1 FROM ratings WHERE ${COUNTS} AND rater = ?)) AS mine
        FROM asked WHERE ${sql.join(" AND ")}`;
      const row = guard("counting reviews", () => db.prepare(query).get(rater, ...values)) ?? {};
      return {
        total: Number(row.total ?? 0),
        settled: Number(row.settled ?? 0),
        conflicts: Number(row.conflicts ?? 0),
        mine: Number(row.mine ?? 0),
      };
    },
  };
}

function whereAnswered({ owner, upload, strategy, model, since, until }: RatingFilter) {
  const where: { sql: string[]; values: SQLInputValue[] } = {
    sql: ["state = 'answered'"],
    values: [],
  };
  const add = (sql: string, value: SQLInputValue | null | undefined) => {
    if (value == null) return;
    where.sql.push(sql);
    where.values.push(value);
  };
  add("owner = ?", owner);
  add("upload = ?", upload);
  add("strategy = ?", strategy);
  add("model = ?", model);
  add("created_at >= ?", since);
  add("created_at <= ?", until);
  return where;
}
