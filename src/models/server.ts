import type { ReplyLimits } from "../core/settings.ts";

/** A model, its address, and its key. Never log or store it as a whole. */
export interface Target {
  /** `provider:model`. */
  name: string;
  provider: string;
  model: string;
  /** Without a slash at the end. */
  baseUrl: string;
  key: string;
  /** Environment variable from which the key is read; null: no key is read. */
  keyVariable: string | null;
  /** Headers of `--header` with their values, which are secrets. Names are in lower case. */
  headers: Readonly<Record<string, string>>;
  limits: ReplyLimits;
  /** The flag that set `baseUrl`, for messages. Default: `--base-url`. */
  urlFlag?: string;
}

/** Where a model is served, without the key. */
export type Address = Pick<Target, "provider" | "baseUrl">;

/** Limits of one request. Seconds. */
export interface RequestLimits {
  timeout_s: number;
  signal: AbortSignal;
}
