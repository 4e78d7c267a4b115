import type { AddressInfo } from "node:net";
import type { DestinationStream } from "pino";

/** Milliseconds and bytes that protect the service from slow and greedy clients; tests make them small. */
export interface Patience {
  /** Without a byte of a body for so long, the request is given up (408). */
  idle_ms: number;
  /** A body may take this long before its mean rate is looked at, in bytes a second. */
  slow_after_ms: number;
  least_rate: number;
  /** A JSON body has to be there within. */
  json_ms: number;
  /** Between two signs of life on an event stream. */
  heartbeat_ms: number;
  /** A reader of events that takes nothing for so long is disconnected. */
  stalled_ms: number;
  /** Running questions may end by themselves for so long when the service stops. */
  grace_ms: number;
  /** An upload that nobody went on with for so long is removed. */
  abandoned_ms: number;
  /** Decoding one thumbnail may take so long; then there is none (422). */
  thumbnail_ms: number;
}

export const PATIENCE: Patience = {
  idle_ms: 30_000,
  slow_after_ms: 60_000,
  least_rate: 1024,
  json_ms: 15_000,
  heartbeat_ms: 15_000,
  stalled_ms: 30_000,
  grace_ms: 5_000,
  abandoned_ms: 1_800_000,
  thumbnail_ms: 10_000,
};

/** What a caller may use up; null is no limit. */
export interface CallerLimits {
  /** Questions that wait or run at once. */
  in_flight: number | null;
  /** Dollars a day (UTC), by the prices that are known. */
  cost_a_day: number | null;
  /** Bytes of all its videos. */
  bytes: number | null;
}

export const NO_LIMITS: CallerLimits = { in_flight: null, cost_a_day: null, bytes: null };

/** An admin sees figures and reports of all callers. */
export const ROLES = ["caller", "admin"] as const;
export type CallerRole = (typeof ROLES)[number];

/** How callers are told apart: not at all, by one token, or by the keys of the store. */
export type Admission = { by: "nobody" } | { by: "token"; token: string } | { by: "keys" };

export interface ServiceOptions {
  /** The data folder. */
  data: string;
  /** Default 127.0.0.1; any other address than a loopback one needs an admission. */
  host: string;
  /** 0: any free one. */
  port: number;
  admission: Admission;
  /** Addresses or CIDR ranges of reverse proxies whose `X-Forwarded-*` headers are believed. */
  trust_proxy: readonly string[];
  /** The operator's own settings, nested; a question's settings go before them. */
  settings: Record<string, unknown>;
  /** Models that a question may name beside the operator's; null: any. */
  models: readonly string[] | null;
  /** Whether models without a price are called under a limit of dollars, which then does not hold for them. */
  allow_unpriced: boolean;
  /** Bytes of one upload; of all videos with what was derived from them. */
  upload_limit: number;
  quota: number;
  /** Bytes of one key that has no limit of its own. */
  key_quota: number;
  /** Uploads that one caller may have open at once. */
  open_uploads: number;
  /** Event streams that one caller may have open at once. */
  open_streams: number;
  /** Bytes that an open upload holds beyond what has arrived. */
  upload_window: number;
  /** Questions that run at once. */
  at_once: number;
  /** Hosts that videos may be fetched from. */
  hosts: readonly string[];
  /** Folder of evaluation reports; null: none are shown. */
  reports: string | null;
  patience: Patience;
  log: { level: string; to?: DestinationStream };
}

export const DEFAULTS: ServiceOptions = {
  data: ".video-rrd",
  host: "127.0.0.1",
  port: 8787,
  admission: { by: "nobody" },
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
  at_once: 4,
  hosts: [],
  reports: null,
  patience: PATIENCE,
  log: { level: "info" },
};

/** Whether only this machine can reach an address that is listened on. */
export function isLoopback(host: string): boolean {
  return host === "localhost" || host === "::1" || /^127(?:\.\d{1,3}){3}$/.test(host);
}

export function urlOf({ address, port, family }: AddressInfo): string {
  return `http://${family === "IPv6" ? `[${address}]` : address}:${port}`;
}
