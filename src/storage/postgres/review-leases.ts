import type { SharedReviewLeases } from "../../core/replicas.ts";
import type { Database } from "./database.ts";

const DOING = "sharing answers among raters";
const VALID = (life: string) =>
  `since > clock_timestamp() - ${life}::bigint * interval '1 millisecond'`;

export function createReviewLeases(db: Database): SharedReviewLeases {
  return {
    async take(question, rater, blind, { most, except, life_ms }) {
      return db.transaction(DOING, async (send) => {
        await send("SELECT pg_advisory_xact_lock(hashtextextended(current_schema() || $1, 0))", [
          ` review ${question}`,
        ]);
        // A statement of its own, which sees what others have taken before the lock.
        const { count } = await send(
          `INSERT INTO review_leases (question, rater, blind, since)
           SELECT $1, $2, $3::int = 1, clock_timestamp() WHERE (
             SELECT count(*) FROM review_leases
             WHERE question = $1 AND rater <> $2 AND rater <> $4 AND ${VALID("$5")}) < $6::int
           ON CONFLICT (question, rater) DO UPDATE SET blind = excluded.blind, since = excluded.since`,
          [question, rater, blind ? 1 : 0, except, life_ms, most],
        );
        return count > 0;
      });
    },
    async find(question, rater, life_ms) {
      const row = await db.row(
        DOING,
        `SELECT blind, extract(epoch FROM clock_timestamp() - since) AS seconds
         FROM review_leases WHERE question = $1 AND rater = $2 AND ${VALID("$3")}`,
        [question, rater, life_ms],
      );
      if (row === undefined) return null;
      return { seconds: Math.round(Number(row.seconds) * 1000) / 1000, blind: row.blind === true };
    },
    async end(question, rater) {
      const sql = "DELETE FROM review_leases WHERE question = $1 AND rater = $2";
      await db.run(DOING, sql, [question, rater]);
    },
  };
}
