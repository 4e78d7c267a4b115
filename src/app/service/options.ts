import type { AddressInfo } from "node:net";
import type { DestinationStream } from "pino";
import type { WORKERS } from "../../core/shared-runs.ts";
import { WEBHOOK_EVENTS, type WebhookEvent } from "../../core/webhook-queue.ts";
import type { KeyPlace } from "../../models/target.ts";
import { RESULT_MS } from "../mcp/result-time.ts";

/** Time and rate limits that protect the service from slow clients. */
export interface Timeouts {
  /** A request whose body makes no progress for this long is refused (408). */
  idle_ms: number;
  /** After this time, the mean rate of a body must be at least `min_rate` bytes a second. */
  slow_after_ms: number;
  min_rate: number;
  /** A JSON body must arrive within this time. */
  json_ms: number;
  /** Time between two heartbeats of an event stream. */
  heartbeat_ms: number;
  /** A client of an event stream that reads nothing for this long is disconnected. */
  stalled_ms: number;
  /** How long a shutdown waits for running questions. */
  grace_ms: number;
  /** An unfinished upload without progress for this long is removed. */
  abandoned_ms: number;
  /** The longest time to decode one thumbnail; after it the request fails (422). */
  thumbnail_ms: number;
  /** An MCP call that takes longer returns `running` in place of its result. */
  result_ms: number;
}

export const DEFAULT_TIMEOUTS: Timeouts = {
  idle_ms: 30_000,
  slow_after_ms: 60_000,
  min_rate: 1024,
  json_ms: 15_000,
  heartbeat_ms: 15_000,
  stalled_ms: 30_000,
  grace_ms: 5_000,
  abandoned_ms: 1_800_000,
  thumbnail_ms: 10_000,
  result_ms: RESULT_MS,
};

/** Limits of a caller; null: no limit. */
export interface CallerLimits {
  /** Questions that are queued or running. */
  in_flight: number | null;
  /** Dollars a day (UTC), by the known prices. */
  cost_a_day: number | null;
  /** Bytes of all videos and the data derived from them. */
  bytes: number | null;
}

export const NO_LIMITS: CallerLimits = { in_flight: null, cost_a_day: null, bytes: null };

/** What a key may do. */
export const KEY_ROLES = ["ask", "review", "operate"] as const;
export type KeyRole = (typeof KEY_ROLES)[number];

/** What each role allows, for help and documentation. */
export const ROLE_SUMMARIES: Readonly<Record<KeyRole, string>> = {
  ask: "upload videos, ask, and correct and review the answers of this key",
  review: "read and review the answers of all keys",
  operate: "everything, and keys, metrics, reports and the usage of all keys",
};

/** How callers are authenticated: not at all, with one token, or with the keys in the store. */
export type AuthMode = { by: "nobody" } | { by: "token"; token: string } | { by: "keys" };

/** The operator's webhook. */
export interface WebhookOptions {
  /** An https URL; also http with `allow_private`. */
  url: string;
  /** Signs each call. */
  secret: string;
  events: readonly WebhookEvent[];
  /** Whether private and loopback addresses may be called. */
  allow_private: boolean;
  /** Milliseconds before the second attempt; doubled for each later one. */
  retry_ms: number;
  /** Attempts before a delivery is dead. */
  tries: number;
}

/** A delivery is tried for about a day and a half. */
export const WEBHOOK_DEFAULTS = {
  events: WEBHOOK_EVENTS,
  allow_private: false,
  retry_ms: 5_000,
  tries: 12,
} as const;

export interface ServiceOptions {
  /** The data folder. */
  data: string;
  /** Default 127.0.0.1. An address that is not a loopback address requires `auth`. */
  host: string;
  /** 0: any free port. */
  port: number;
  auth: AuthMode;
  /** Addresses or CIDR ranges of reverse proxies whose `X-Forwarded-*` headers are trusted. */
  trust_proxy: readonly string[];
  /** The operator's settings, nested. The settings of a question override them. */
  settings: Record<string, unknown>;
  /** Models that a question may name in addition to the operator's; null: any. */
  models: readonly string[] | null;
  /** Whether models without a price may be called under a cost limit, which then ignores them. */
  allow_unpriced: boolean;
  /** `upload_limit`: bytes of one upload. `quota`: bytes of all videos and the data derived from them. */
  upload_limit: number;
  quota: number;
  /** Bytes of a key without its own limit. */
  key_quota: number;
  /** Uploads that one caller may have open at once. */
  open_uploads: number;
  /** Event streams that one caller may have open at once. */
  open_streams: number;
  /** Bytes that an open upload reserves in addition to those that arrived. */
  upload_window: number;
  /** Questions that run concurrently. */
  concurrency: number;
  /** Who answers questions: this process, or processes of `worker` on the same PostgreSQL. */
  workers: (typeof WORKERS)[number];
  /** Hosts from which videos may be fetched. */
  hosts: readonly string[];
  /** `raters`: verdicts that each answer needs. `blind`: raters see neither the answer nor other verdicts before their own. */
  reviews: { raters: number; blind: boolean };
  /** Folder of a human study to ask; null: none. */
  human_study: string | null;
  /** Folder of evaluation reports; null: no reports. */
  reports: string | null;
  /** What is called when questions end, reviews are made and videos are ready; null: nothing. */
  webhook: WebhookOptions | null;
  timeouts: Timeouts;
  log: { level: string; to?: DestinationStream };
}

export const DEFAULTS: ServiceOptions = {
  data: ".video-rrd",
  host: "127.0.0.1",
  port: 8787,
  auth: { by: "nobody" },
  trust_proxy: [],
  settings: {},
  models: null,
  allow_unpriced: false,
  upload_limit: 2 * 2 ** 30,
  quota: 20 * 2 ** 30,
  key_quota: 10 * 2 ** 30,
  open_uploads: 8,
  open_streams: 64,
  upload_window: 16 * 2 ** 20,
  concurrency: 4,
  workers: "local",
  hosts: [],
  reviews: { raters: 1, blind: false },
  human_study: null,
  reports: null,
  webhook: null,
  timeouts: DEFAULT_TIMEOUTS,
  log: { level: "info" },
};

/** Where the keys of models are: workers have their own. */
export function keyPlaceOf({ workers }: Pick<ServiceOptions, "workers">): KeyPlace {
  return workers === "remote" ? "elsewhere" : "here";
}

/** Whether only this machine can reach the address. */
export function isLoopback(host: string): boolean {
  return host === "localhost" || host === "::1" || /^127(?:\.\d{1,3}){3}$/.test(host);
}

export function urlOf({ address, port, family }: AddressInfo): string {
  return `http://${family === "IPv6" ? `[${address}]` : address}:${port}`;
}
