/** What a webhook can be called for. */
export const WEBHOOK_EVENTS = [
  "question.answered",
  "question.failed",
  "question.cancelled",
  "review.made",
  "video.ready",
] as const;
/** An event of a webhook. */
export type WebhookEvent = (typeof WEBHOOK_EVENTS)[number];

/** One call of a webhook. It is written with the change that it tells of, in one transaction. */
export interface WebhookDelivery {
  id: string;
  event: WebhookEvent;
  /** Id of the question or the video. */
  subject: string;
  /** Milliseconds since 1970. */
  at: number;
  /** What is sent, once it was made: every attempt sends the same bytes. */
  body: string | null;
  /** Attempts so far. */
  tries: number;
}

/** Calls of a webhook that survive the process. At most `MOST_OPEN` wait; later ones are dead at once. */
export interface WebhookQueue {
  /** The events that are queued from now on; none: the webhook is off. */
  setEvents(events: readonly WebhookEvent[]): Promise<void>;
  /** Takes open deliveries whose attempt is due, the oldest first. For `lease_ms` no other process gets them. */
  take(limit: number, lease_ms: number): Promise<WebhookDelivery[]>;
  setBody(id: string, body: string): Promise<void>;
  delivered(id: string): Promise<void>;
  /** Notes a failed attempt. `wait_ms`: until the next one; null: the delivery is dead. */
  failed(id: string, problem: string, wait_ms: number | null): Promise<void>;
  counts(): Promise<{ open: number; dead: number }>;
  /** Removes deliveries that ended before an instant. */
  sweep(before: number): Promise<void>;
}

/** Longest wait between two attempts. An attempt that is due later was planned by a clock that was ahead: it is due now. */
export const LONGEST_WAIT_MS = 6 * 3_600_000;

/** Deliveries that may wait. */
export const MOST_OPEN = 10_000;
