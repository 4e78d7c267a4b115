import type { QuestionRow } from "../../core/contracts.ts";
import type { RatingFilter, Ratings } from "../../core/ratings.ts";
import { ratingRow } from "../rows/rating-row.ts";
import { questionRow } from "../rows/service-rows.ts";
import { type Conditions, createConditions } from "./conditions.ts";
import type { Database, Send } from "./database.ts";

/** Ratings that count: not taken back. */
const COUNTS = "ratings.question = asked.id AND ratings.undone_at IS NULL";

export function createRatings(
  db: Database,
  editQuestion: (send: Send, question: QuestionRow) => Promise<boolean>,
): Ratings {
  return {
    async addRating(rating, question) {
      return db.transaction("noting a review", async (send) => {
        if (!(await editQuestion(send, question))) return false;
        await send(
          `INSERT INTO ratings (id, question, rater, verdict, answer, note, seconds, at, blind, settles, undone_at)
           VALUES ($1, $2, $3, $4, $5, $6, $7, $8, $9, $10, $11) ON CONFLICT (id) DO NOTHING`,
          [
            ...[rating.id, rating.question, rating.rater, rating.verdict],
            ...[JSON.stringify(rating.answer), rating.note, rating.seconds, rating.at],
            ...[rating.blind ? 1 : 0, rating.settles ? 1 : 0, rating.undone_at],
          ],
        );
        return true;
      });
    },
    async undoRating(id, at, question) {
      return db.transaction("taking back a review", async (send) => {
        if (!(await editQuestion(send, question))) return false;
        await send("UPDATE ratings SET undone_at = $1 WHERE id = $2", [at, id]);
        return true;
      });
    },
    async ratingsOf(question) {
      const sql = "SELECT * FROM ratings WHERE question = $1 ORDER BY number";
      return (await db.rows("listing reviews", sql, [question])).map(ratingRow);
    },
    async ratingQueue(filter, { of, rater, raters, after, limit }) {
      const where = whereAnswered(filter);
      where.add(
        (name) => `NOT EXISTS (SELECT 1 FROM ratings WHERE ${COUNTS} AND rater = ${name})`,
        rater,
      );
      if (of === "conflict") where.text("verdict = 'conflict'");
      else {
        where.text("verdict IS NULL");
        where.add(
          (most) => `(SELECT count(DISTINCT rater) FROM ratings WHERE ${COUNTS}) < ${most}`,
          raters,
        );
      }
      where.given(
        (id) => `(created_at, id) > (SELECT created_at, id FROM asked WHERE id = ${id})`,
        after,
      );
      const rows = await db.rows(
        "listing answers to review",
        `SELECT * FROM asked WHERE ${where.sql()} ORDER BY created_at, id LIMIT ${Math.trunc(limit)}`,
        where.values,
      );
      return rows.map(questionRow);
    },
    async ratingProgress(filter, rater) {
      const where = whereAnswered(filter);
      const mine = `$${where.values.push(rater)}`;
      const row =
        (await db.row(
          "counting reviews",
          `SELECT count(*) AS total, count(*) FILTER (WHERE verdict <> 'conflict') AS settled,
             count(*) FILTER (WHERE verdict = 'conflict') AS conflicts,
             count(*) FILTER (WHERE EXISTS (SELECT 1 FROM ratings WHERE ${COUNTS} AND rater = ${mine})) AS mine
           FROM asked WHERE ${where.sql()}`,
          where.values,
        )) ?? {};
      return {
        total: Number(row.total),
        settled: Number(row.settled),
        conflicts: Number(row.conflicts),
        mine: Number(row.mine),
      };
    },
  };
}

function whereAnswered(filter: RatingFilter): Conditions {
  const { owner, upload, strategy, model, since, until } = filter;
  const where = createConditions();
  where.text("state = 'answered'");
  where.given((value) => `owner = ${value}`, owner);
  where.given((value) => `upload = ${value}`, upload);
  where.given((value) => `strategy = ${value}`, strategy);
  where.given((value) => `model = ${value}`, model);
  where.given((value) => `created_at >= ${value}`, since);
  where.given((value) => `created_at <= ${value}`, until);
  return where;
}
