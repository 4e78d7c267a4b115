import type { WebhookDelivery, WebhookEvent } from "../../core/webhook-queue.ts";

/** A row of the table `webhook_deliveries`. */
export function webhookDelivery(row: Record<string, unknown>): WebhookDelivery {
  return {
    id: String(row.id),
    event: String(row.event) as WebhookEvent,
    subject: String(row.subject),
    at: Number(row.at),
    body: row.body === null ? null : String(row.body),
    tries: Number(row.tries),
  };
}
