import type { Logger } from "pino";
import { request } from "undici";
import type { Store } from "../../core/contracts.ts";
import { Failure, oneLine } from "../../core/errors.ts";
import { version } from "../../core/version.ts";
import { LONGEST_WAIT_MS, type WebhookDelivery } from "../../core/webhook-queue.ts";
import { discard } from "./fetch-video.ts";
import { findProblem, guardedAgent, isPublic } from "./guarded-agent.ts";
import type { Metrics } from "./metrics.ts";
import type { WebhookOptions } from "./options.ts";
import { webhookBody } from "./webhook-body.ts";
import { signWebhook, WEBHOOK_HEADERS } from "./webhook-signature.ts";

const TIMEOUT_MS = 10_000;
const AT_ONCE = 4;
/** Longer than an attempt. After it, another process of the store tries. */
const LEASE_MS = 60_000;
const LOOK_MS = 500;
/** A wait is spread by up to this share. */
const SPREAD = 0.1;
/** Deliveries that ended are kept this long. */
const KEEP_MS = 7 * 86_400_000;
const SWEEP_MS = 3_600_000;
const SECRET_LENGTH = 16;

/**
 * Calls the operator's webhook for queued events: at least once each, with the same id, until the receiver answers with
 * a status of 200 to 299. Redirects are not followed. Without a webhook, events are not queued.
 * Throws `Failure` `wrong-usage` for a URL or secret that cannot be used.
 */
export async function startWebhook(
  options: WebhookOptions | null,
  { store, metrics, log }: { store: Store; metrics: Metrics; log: Logger },
): Promise<{ stop(): Promise<void> }> {
  const { webhooks } = store;
  await webhooks.setEvents(options?.events ?? []);
  if (options === null) return { stop: async () => undefined };
  const { tries, retry_ms } = options;
  const url = checkWebhook(options);
  const allow = options.allow_private ? () => true : isPublic;
  const agent = guardedAgent(allow, undefined, TIMEOUT_MS);
  const shutdown = new AbortController();
  let swept = Number.NEGATIVE_INFINITY;

  async function deliver(delivery: WebhookDelivery): Promise<void> {
    const { id, event } = delivery;
    const body = delivery.body ?? (await webhookBody(store, delivery));
    if (delivery.body === null) await webhooks.setBody(id, body);
    const problem = await send(id, event, body);
    if (shutdown.signal.aborted && problem !== null) return;
    if (problem === null) await webhooks.delivered(id);
    const attempt = delivery.tries + 1;
    const isDead = problem !== null && attempt >= tries;
    const result = problem === null ? "delivered" : isDead ? "dead" : "failed";
    metrics.deliveries.inc({ event, result });
    if (problem === null) return;
    // Spread, so that deliveries which failed together do not come back together.
    const spread = 1 + SPREAD * (2 * Math.random() - 1);
    const wait = Math.min(retry_ms * 2 ** (attempt - 1), LONGEST_WAIT_MS / (1 + SPREAD)) * spread;
    await webhooks.failed(id, problem, isDead ? null : wait);
    log.warn({ delivery: id, event, attempt, problem }, "cannot call the webhook");
    if (!isDead) return;
    const details = { delivery: id, event, tries: attempt, problem };
    const [video, question] = event.startsWith("video.")
      ? [delivery.subject, null]
      : [null, delivery.subject];
    await store.audit.append({
      ...{ at: Date.now(), who: "webhook", address: "", action: "webhook.dead" },
      ...{ video, question, details },
    });
  }

  /** One attempt. Returns what went wrong, or null. */
  async function send(id: string, event: string, body: string): Promise<string | null> {
    try {
      const reply = await request(url, {
        method: "POST",
        dispatcher: agent,
        headersTimeout: TIMEOUT_MS,
        bodyTimeout: TIMEOUT_MS,
        signal: AbortSignal.any([shutdown.signal, AbortSignal.timeout(TIMEOUT_MS)]),
        body,
        headers: {
          "content-type": "application/json",
          "user-agent": `video-rrd/${version()}`,
          [WEBHOOK_HEADERS.delivery]: id,
          [WEBHOOK_HEADERS.event]: event,
          [WEBHOOK_HEADERS.signature]: signWebhook(body, options?.secret ?? ""),
        },
      });
      discard(reply.body);
      const { statusCode } = reply;
      return statusCode >= 200 && statusCode < 300 ? null : `status ${statusCode}`;
    } catch (error) {
      const reason = findProblem(error) ?? error;
      return oneLine(reason instanceof Error ? reason.message || reason.name : String(reason), 200);
    }
  }

  async function round(): Promise<number> {
    const due = await webhooks.take(AT_ONCE, LEASE_MS);
    await Promise.all(due.map(deliver));
    const { open, dead } = await webhooks.counts();
    metrics.webhooks.set({ state: "open" }, open);
    metrics.webhooks.set({ state: "dead" }, dead);
    if (performance.now() - swept > SWEEP_MS) {
      await webhooks.sweep(Date.now() - KEEP_MS);
      swept = performance.now();
    }
    return due.length;
  }

  const work = (async () => {
    while (!shutdown.signal.aborted) {
      const sent = await round().catch((error: unknown) => {
        log.error({ err: error }, "cannot read or write the queue of the webhook");
        return 0;
      });
      if (sent < AT_ONCE) await pause(LOOK_MS, shutdown.signal);
    }
  })();

  return {
    async stop() {
      shutdown.abort();
      await work;
      await agent.close();
    },
  };
}

/** Checks the URL and the secret of a webhook. Throws `Failure` `wrong-usage`. */
export function checkWebhook({ url, secret, allow_private }: WebhookOptions): string {
  const read = URL.parse(url);
  const schemes = allow_private ? ["https:", "http:"] : ["https:"];
  if (read === null || !schemes.includes(read.protocol))
    throw new Failure(
      "wrong-usage",
      `Invalid --webhook ${JSON.stringify(oneLine(url, 100))}: use an https URL. http is allowed with --webhook-private.`,
    );
  if (read.username !== "" || read.password !== "")
    throw new Failure(
      "wrong-usage",
      "Invalid --webhook: a user name or password is not allowed. Calls are signed with the secret.",
    );
  if (secret.length < SECRET_LENGTH)
    throw new Failure(
      "wrong-usage",
      `The secret of the webhook is too short: use at least ${SECRET_LENGTH} characters, for example from \`openssl rand -hex 32\`.`,
    );
  return read.href;
}

function pause(ms: number, signal: AbortSignal): Promise<void> {
  return new Promise((done) => {
    const timer = setTimeout(done, ms);
    signal.addEventListener(
      "abort",
      () => {
        clearTimeout(timer);
        done();
      },
      { once: true },
    );
  });
}
