import type { DatabaseSync } from "node:sqlite";
import { LONGEST_WAIT_MS, type WebhookQueue } from "../../core/webhook-queue.ts";
import { webhookDelivery } from "../rows/webhook-delivery.ts";
import { guard, transaction } from "./transaction.ts";

/** The queue that triggers of `operation-schema.ts` fill. */
export function createWebhookQueue(db: DatabaseSync): WebhookQueue {
  const dropEvents = db.prepare("DELETE FROM webhook_events");
  const addEvent = db.prepare("INSERT OR IGNORE INTO webhook_events (event) VALUES (?)");
  const due = db.prepare(
    `SELECT * FROM webhook_deliveries WHERE state = 'open' AND (next_at <= :now OR next_at > :now + ${LONGEST_WAIT_MS})
     ORDER BY number LIMIT :limit`,
  );
  const setBody = db.prepare("UPDATE webhook_deliveries SET body = ? WHERE id = ?");
  const deliver = db.prepare(
    "UPDATE webhook_deliveries SET state = 'delivered', tries = tries + 1, problem = NULL WHERE id = ?",
  );
  const fail = db.prepare(
    `UPDATE webhook_deliveries SET tries = tries + 1, problem = :problem,
     state = iif(:next_at IS NULL, 'dead', 'open'), next_at = coalesce(:next_at, next_at) WHERE id = :id`,
  );
  const counts = db.prepare("SELECT state, count(*) AS n FROM webhook_deliveries GROUP BY state");
  const sweep = db.prepare("DELETE FROM webhook_deliveries WHERE state <> 'open' AND at < ?");
  const doing = "writing the queue of the webhook";

  return {
    async setEvents(events) {
      transaction(db, doing, () => {
        dropEvents.run();
        for (const event of events) addEvent.run(event);
      });
    },
    // One process calls the webhook.
    async take(limit) {
      const rows = guard("reading the queue of the webhook", () =>
        due.all({ now: Date.now(), limit }),
      );
      return rows.map(webhookDelivery);
    },
    async setBody(id, body) {
      guard(doing, () => setBody.run(body, id));
    },
    async delivered(id) {
      guard(doing, () => deliver.run(id));
    },
    async failed(id, problem, wait_ms) {
      const next_at = wait_ms === null ? null : Date.now() + wait_ms;
      guard(doing, () => fail.run({ id, problem, next_at }));
    },
    async counts() {
      const rows = guard("counting deliveries", () => counts.all());
      const of = (state: string) => Number(rows.find((row) => row.state === state)?.n ?? 0);
      return { open: of("open"), dead: of("dead") };
    },
    async sweep(before) {
      guard(doing, () => sweep.run(before));
    },
  };
}
