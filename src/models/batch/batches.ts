import { Failure } from "../../core/errors.ts";
import type { Target } from "../server.ts";
import { accountOf } from "../uploads.ts";
import { type RequestBody, removeOldFiles } from "./batch-file.ts";
import { type BatchRecord, batchFolder, readBatchRecords } from "./batch-record.ts";
import { createDrafts } from "./drafts.ts";
import {
  type BatchOutcome,
  type BatchProgress,
  createRemoteBatches,
  type Pace,
} from "./remote-batches.ts";
import { createSamplePlaces } from "./sample-places.ts";
import { unlessAborted } from "./unless-aborted.ts";

/*
 * Calls that can wait. A call becomes a line of a file; the file is sent as a batch once no sample can go on without a
 * reply, or once it is full. The reply of a batch goes through the same client as a direct one.
 *
 *   call -> draft -> sent -> results -> the call goes on
 *            |        `- record on disk: after a kill, the same call finds its result
 *            `- dropped with the process
 */

export type { BatchProgress } from "./remote-batches.ts";

/** The calls of a run that go through batches. */
export interface Batches {
  /** Runs the work of one sample, once there is a place. */
  sample<T>(work: () => Promise<T>): Promise<T>;
  /** Awaits something that may take hours; the sample around it gives its place away meanwhile. */
  waiting<T>(promise: Promise<T>): Promise<T>;
  /** Sends one call of a client; `key` is its memo key. Waits up to days. */
  fetchFor(target: Target, key: string, signal: AbortSignal): typeof fetch;
  /** The result of a call is stored, or it failed for good. */
  settle(key: string): void;
  /**
   * Ends the work. `isComplete`: every sample of the run has its result, so that nothing of its batches is needed any
   * more. Returns the batches that the provider still processes, and bills.
   */
  close(isComplete: boolean): Promise<BatchProgress[]>;
}

export interface BatchesOptions {
  /** The data folder, which holds the records. */
  data: string;
  /** The run that pays. */
  run: string;
  /** `runtime.headers`, which the batches of earlier processes are reached with. */
  headers?: string | null;
  /** Samples that work at once. */
  width: number;
  onProgress?: (batches: readonly BatchProgress[]) => void;
  /** Whether a program such as ffmpeg works for a sample, whose calls may come soon. Default: none does. */
  isPreparing?: () => boolean;
  pace?: Partial<Pace>;
}

const PACE: Pace = {
  ...{ idle: 2000, quiet: 30_000, longest: 600_000 },
  ...{ firstPoll: 1000, longestPoll: 60_000 },
};
/** Batches in which a call may stay without a reply. */
const MOST_EXPIRED = 3;

/** Reads the records of earlier processes in the data folder. Throws `Failure` `file-unreadable`. */
export async function openBatches(options: BatchesOptions): Promise<Batches> {
  const { data, run, onProgress, isPreparing = () => false } = options;
  const pace = { ...PACE, ...options.pace };
  const places = createSamplePlaces(options.width);
  const stop = new AbortController();
  const { signal: stopped } = stop;
  const remote = createRemoteBatches({
    ...{ data, pace, signal: stopped, onProgress },
    access: { headers: options.headers ?? null },
  });
  const drafts = createDrafts({ data, run, pace, places, remote, isPreparing, signal: stopped });
  const earlier = await readBatchRecords(data);
  await removeOldFiles(batchFolder(data));
  const byKey = new Map<string, BatchRecord[]>();
  for (const record of earlier)
    for (const key of record.keys) byKey.set(key, [...(byKey.get(key) ?? []), record]);

  /** The result of a call in a batch of an earlier process; null: it was never sent. */
  async function recorded(target: Target, key: string, signal: AbortSignal) {
    const account = accountOf(target);
    for (;;) {
      const left = byKey.get(key) ?? [];
      const record = left.find(
        (one) =>
          one.model === target.name && one.base_url === target.baseUrl && one.account === account,
      );
      if (record === undefined) return null;
      const outcome = await unlessAborted(remote.resultOf(target, record, key), signal);
      byKey.set(
        key,
        left.filter((one) => one !== record),
      );
      if (outcome !== null && !("again" in outcome)) return outcome;
    }
  }

  return {
    sample: places.run,
    waiting: places.waiting,
    fetchFor: (target, key, signal) => async (_url, init) => {
      const request = requestOf(init);
      let outcome: BatchOutcome | null = await recorded(target, key, signal);
      for (let expired = 0; outcome === null || "again" in outcome; ) {
        if (outcome?.again === "expired" && ++expired >= MOST_EXPIRED)
          throw new Failure(
            "model-overloaded",
            `${target.name} did not answer in ${MOST_EXPIRED} batches: they expired, or their results had no readable line of the call. Continue later, or without --batch.`,
            { model: target.name },
          );
        outcome = await drafts.add(target, key, request, signal);
      }
      return new Response(outcome.body, {
        status: replyStatus(outcome.status),
        headers: { "content-type": "application/json" },
      });
    },
    settle: (key) => remote.settle(key),
    async close(isComplete) {
      const running = remote.running();
      stop.abort(new Failure("cancelled", "The run has ended."));
      await drafts.close();
      // What was not asked for again is in the memo.
      await remote.close(isComplete ? earlier.filter((one) => one.run === run) : []);
      return running;
    },
  };
}

/** The status of a result. One that is neither a reply nor an error of HTTP counts as an error of the server. */
function replyStatus(status: number): number {
  return status === 200 || (status >= 400 && status <= 599) ? status : 502;
}

function requestOf(init: RequestInit | undefined): { body: RequestBody; size: number } {
  const body = init?.body as unknown as RequestBody;
  if (typeof body === "string") return { body, size: Buffer.byteLength(body) };
  return { body, size: Number(new Headers(init?.headers).get("content-length")) };
}
