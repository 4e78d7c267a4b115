import type { IdempotentRequests } from "../../core/idempotency.ts";
import { idempotentRequest } from "../rows/idempotent-request.ts";
import type { Database } from "./database.ts";

export function createIdempotentRequests(db: Database): IdempotentRequests {
  return {
    async idempotent(owner, key) {
      const sql = "SELECT * FROM idempotent WHERE owner = $1 AND key = $2";
      const row = await db.row("looking up a request", sql, [owner, key]);
      return row === undefined ? undefined : idempotentRequest(row);
    },
    async putIdempotent({ owner, key, about, request, made, created_at, response }) {
      const { status = null, location = null, body = null } = response ?? {};
      await db.run(
        "noting a request",
        `INSERT INTO idempotent (owner, key, about, request, made, created_at, status, location, body)
         VALUES ($1, $2, $3, $4, $5, $6, $7, $8, $9)
         ON CONFLICT (owner, key) DO UPDATE SET about = excluded.about, request = excluded.request,
           made = excluded.made, created_at = excluded.created_at, status = excluded.status,
           location = excluded.location, body = excluded.body`,
        [owner, key, about, request, made, created_at, status, location, body],
      );
    },
    async dropIdempotent(owner, key) {
      const sql = "DELETE FROM idempotent WHERE owner = $1 AND key = $2";
      await db.run("forgetting a request", sql, [owner, key]);
    },
    async countIdempotent(owner) {
      const sql = "SELECT count(*) AS n FROM idempotent WHERE owner = $1";
      return Number((await db.row("counting requests", sql, [owner]))?.n);
    },
    async sweepIdempotent(before) {
      await db.run("forgetting requests", "DELETE FROM idempotent WHERE created_at < $1", [before]);
    },
  };
}
