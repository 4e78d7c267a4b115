import { LONGEST_WAIT_MS, type WebhookQueue } from "../../core/webhook-queue.ts";
import { webhookDelivery } from "../rows/webhook-delivery.ts";
import type { Database } from "./database.ts";

const DOING = "writing the queue of the webhook";

/** Milliseconds since 1970, by the clock of the database. */
const NOW = "extract(epoch FROM clock_timestamp()) * 1000";

/** The queue that triggers of `operation-schema.ts` fill. */
export function createWebhookQueue(db: Database): WebhookQueue {
  return {
    async setEvents(events) {
      await db.transaction(DOING, async (send) => {
        await send("DELETE FROM webhook_events", []);
        await send(
          "INSERT INTO webhook_events (event) SELECT DISTINCT unnest($1::text[]) ON CONFLICT DO NOTHING",
          [events],
        );
      });
    },
    async take(limit, lease_ms) {
      const { rows } = await db.run(
        DOING,
        `UPDATE webhook_deliveries SET next_at = ${NOW} + $2 WHERE number IN (
           SELECT number FROM webhook_deliveries WHERE state = 'open' AND (next_at <= ${NOW} OR next_at > ${NOW} + ${LONGEST_WAIT_MS})
           ORDER BY number LIMIT $1 FOR UPDATE SKIP LOCKED
         ) RETURNING *`,
        [limit, lease_ms],
      );
      return rows.sort((a, b) => Number(a.number) - Number(b.number)).map(webhookDelivery);
    },
    async setBody(id, body) {
      await db.run(DOING, "UPDATE webhook_deliveries SET body = $1 WHERE id = $2", [body, id]);
    },
    async delivered(id) {
      const sql =
        "UPDATE webhook_deliveries SET state = 'delivered', tries = tries + 1, problem = NULL WHERE id = $1";
      await db.run(DOING, sql, [id]);
    },
    async failed(id, problem, wait_ms) {
      await db.run(
        DOING,
        `UPDATE webhook_deliveries SET tries = tries + 1, problem = $2, next_at = coalesce(${NOW} + $3::float8, next_at),
           state = CASE WHEN $3::float8 IS NULL THEN 'dead' ELSE 'open' END WHERE id = $1`,
        [id, problem, wait_ms],
      );
    },
    async counts() {
      const sql = "SELECT state, count(*) AS n FROM webhook_deliveries GROUP BY state";
      const rows = await db.rows("counting deliveries", sql);
      const of = (state: string) => Number(rows.find((row) => row.state === state)?.n ?? 0);
      return { open: of("open"), dead: of("dead") };
    },
    async sweep(before) {
      const sql = "DELETE FROM webhook_deliveries WHERE state <> 'open' AND at < $1";
      await db.run(DOING, sql, [before]);
    },
  };
}
