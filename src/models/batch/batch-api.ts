import type { RequestLimits, Target } from "../server.ts";

/** A batch as its provider describes it. */
export interface RemoteBatch {
  /** The provider's id. */
  name: string;
  /**
   * `cancelled`: some requests may have results. `failed`: no request was processed. `full`: the same, since the account
   * has too much in its queue.
   */
  state: "running" | "ended" | "cancelled" | "failed" | "full";
  /** The provider's words, if it failed. */
  why: string | null;
  /** Requests that are processed. */
  done: number;
  /** Names of the files with the results. */
  results: string[];
}

/** The result of one request. */
export interface BatchResult {
  /** Null for a damaged line, of which nobody knows whose result it is; that call has no result. */
  key: string | null;
  /** Null: the request was not processed before the batch expired or was cancelled. */
  reply: { status: number; body: string } | null;
}

/**
 * The batch interface of a provider: requests that may wait up to a day, at a lower price. Its methods throw
 * `AttemptError`, or the signal's reason.
 */
export interface BatchApi {
  /** Price relative to a direct call. */
  price: number;
  /** Limits of one batch. */
  most: { requests: number; bytes: number };
  /** What is before and after the body of a request in its line of the file. */
  line(key: string): { before: string; after: string };
  /** Lists batches. Throws if the server does not offer them, or refuses the key. */
  check(target: Target, limits: RequestLimits): Promise<void>;
  /** Uploads the file of a batch, and returns its name at the provider. `id` names it. */
  upload(
    target: Target,
    file: { id: string; path: string; bytes: number },
    limits: RequestLimits,
  ): Promise<string>;
  /** Starts a batch that can be found by `id`. */
  create(
    target: Target,
    batch: { id: string; input: string },
    limits: RequestLimits,
  ): Promise<RemoteBatch>;
  /** The batch with this `id`; null if there is none. */
  find(target: Target, id: string, limits: RequestLimits): Promise<RemoteBatch | null>;
  /** The batch of this name. */
  get(target: Target, name: string, limits: RequestLimits): Promise<RemoteBatch>;
  /** The results of a batch that ended. */
  results(target: Target, batch: RemoteBatch, limits: RequestLimits): Promise<BatchResult[]>;
  cancel(target: Target, name: string, limits: RequestLimits): Promise<void>;
  /** Deletes a file. */
  removeFile(target: Target, name: string, limits: RequestLimits): Promise<void>;
}
