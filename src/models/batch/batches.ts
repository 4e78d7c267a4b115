import { randomUUID } from "node:crypto";
import { join } from "node:path";
import { setTimeout as sleep } from "node:timers/promises";
import { Failure } from "../../core/errors.ts";
import type { Target } from "../server.ts";
import { accountOf } from "../uploads.ts";
import { batchApiOf } from "./batch-api-of.ts";
import { type BatchFile, createBatchFile, type RequestBody } from "./batch-file.ts";
import {
  type BatchRecord,
  batchFolder,
  dropBatchRecord,
  readBatchRecords,
  writeBatchRecord,
} from "./batch-record.ts";
import {
  type BatchOutcome,
  type BatchProgress,
  createRemoteBatches,
  type Pace,
} from "./remote-batches.ts";
import { createSamplePlaces } from "./sample-places.ts";

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
  /** Samples that work at once. */
  width: number;
  onProgress?: (batches: readonly BatchProgress[]) => void;
  pace?: Partial<Pace>;
}

const PACE: Pace = { idle: 2000, quiet: 30_000, firstPoll: 1000, longestPoll: 60_000 };
/** Batches in which a call may stay without a reply. */
const MOST_EXPIRED = 3;

interface Waiter {
  resolve(outcome: BatchOutcome): void;
  reject(error: unknown): void;
}

/** A file that calls are added to. */
interface Draft {
  id: string;
  created_at: string;
  file: Promise<BatchFile>;
  bytes: number;
  waiters: Map<string, Waiter>;
  /** Lines being written. */
  writing: number;
  lastAt: number;
}

/** The calls of one model. */
interface Queue {
  target: Target;
  draft: Draft | null;
  /** The provider's queue was full: smaller batches, one after another. */
  most: number;
  oneAtATime: boolean;
  notBefore: number;
}

/** Reads the records of earlier processes in the data folder. Throws `Failure` `file-unreadable`. */
export async function openBatches(options: BatchesOptions): Promise<Batches> {
  const { data, run } = options;
  const pace = { ...PACE, ...options.pace };
  const places = createSamplePlaces(options.width);
  const stop = new AbortController();
  const remote = createRemoteBatches({
    data,
    pace,
    signal: stop.signal,
    onProgress: options.onProgress,
  });
  const earlier = await readBatchRecords(data);
  const byKey = new Map<string, BatchRecord[]>();
  for (const record of earlier)
    for (const key of record.keys) byKey.set(key, [...(byKey.get(key) ?? []), record]);
  const queues = new Map<string, Queue>();
  let timer: NodeJS.Timeout | undefined;

  function queueOf(target: Target): Queue {
    const id = JSON.stringify([target.name, target.baseUrl, accountOf(target)]);
    const known = queues.get(id);
    if (known !== undefined) return known;
    const { most } = batchApiOf(target);
    const made = {
      ...{ target, draft: null, most: most.requests, oneAtATime: false, notBefore: 0 },
    };
    queues.set(id, made);
    return made;
  }

  function newDraft(): Draft {
    const id = randomUUID();
    const file = createBatchFile(join(batchFolder(data), `${id}.jsonl`));
    file.catch(() => undefined);
    const now = Date.now();
    return {
      ...{ id, file, created_at: new Date(now).toISOString(), lastAt: now },
      ...{ bytes: 0, waiters: new Map(), writing: 0 },
    };
  }

  /** Adds a call to the draft of its model, and waits for its reply. */
  async function enqueue(
    queue: Queue,
    key: string,
    { body, size }: { body: RequestBody; size: number },
    signal: AbortSignal,
  ): Promise<BatchOutcome> {
    const { most, line } = batchApiOf(queue.target);
    const around = line(key);
    const bytes = size + Buffer.byteLength(around.before + around.after) + 1;
    if (bytes > most.bytes)
      throw new Failure(
        "model-rejected",
        `A call of ${queue.target.name} has ${Math.ceil(bytes / 2 ** 20)} MB, and a file of a batch at most ${most.bytes / 2 ** 20} MB. Send fewer frames, or leave --batch out.`,
        { bytes, limit: most.bytes },
      );
    const { draft: before } = queue;
    if (before !== null && (before.bytes + bytes > most.bytes || before.waiters.has(key)))
      void send(queue, before);
    queue.draft ??= newDraft();
    const draft = queue.draft;
    draft.bytes += bytes;
    draft.lastAt = Date.now();
    draft.writing++;
    const outcome = new Promise<BatchOutcome>((resolve, reject) =>
      draft.waiters.set(key, { resolve, reject }),
    );
    outcome.catch(() => undefined);
    const isFull = draft.waiters.size >= queue.most;
    if (isFull && !queue.oneAtATime) queue.draft = null;
    watch();
    try {
      await (await draft.file).append(around, body, size);
    } catch (error) {
      draft.waiters.delete(key);
      throw error;
    } finally {
      draft.writing--;
      draft.lastAt = Date.now();
      if (isFull && !queue.oneAtATime) void send(queue, draft);
    }
    return unlessAborted(outcome, signal);
  }

  /** Sends the drafts that are due, as long as there are any. */
  function watch(): void {
    timer ??= setInterval(
      () => {
        const drafts = [...queues.values()].flatMap(({ draft }) => draft ?? []);
        if (drafts.length === 0) {
          clearInterval(timer);
          timer = undefined;
          return;
        }
        const isIdle = places.isIdle() && !hasChildren();
        for (const queue of queues.values()) {
          const { draft } = queue;
          if (draft === null || draft.writing > 0) continue;
          const since = Date.now() - draft.lastAt;
          const isDue = (isIdle && since >= pace.idle) || since >= pace.quiet;
          const isBlocked =
            Date.now() < queue.notBefore || (queue.oneAtATime && remote.isBusy(queue.target));
          if (isDue && !isBlocked) void send(queue, draft);
        }
      },
      Math.min(250, pace.idle),
    );
  }

  /** Sends a draft. Its failures are those of its calls. */
  async function send(queue: Queue, draft: Draft): Promise<void> {
    if (queue.draft === draft) queue.draft = null;
    while (draft.writing > 0) await sleep(20);
    const { target } = queue;
    const file = await draft.file.catch(() => null);
    if (file === null || draft.waiters.size === 0 || stop.signal.aborted) {
      await file?.close();
      await file?.remove();
      return;
    }
    const record: BatchRecord = {
      ...{ format: 1, id: draft.id, run, model: target.name, base_url: target.baseUrl },
      ...{ account: accountOf(target), created_at: draft.created_at, input: null, batch: null },
      keys: [...draft.waiters.keys()],
    };
    try {
      await file.close();
      await writeBatchRecord(data, record);
      await remote.send(target, record, { path: file.path, bytes: file.bytes() });
      await file.remove();
      const waiters = draft.waiters;
      remote.follow(target, record, {
        result: (key, outcome) => {
          if ("again" in outcome && outcome.again === "full") slowDown(queue, record.keys.length);
          waiters.get(key)?.resolve(outcome);
        },
        failed: (error) => {
          for (const waiter of waiters.values()) waiter.reject(error);
        },
      });
    } catch (error) {
      for (const waiter of draft.waiters.values()) waiter.reject(error);
      await file.remove();
    }
  }

  function slowDown(queue: Queue, requests: number): void {
    queue.most = Math.max(1, Math.min(queue.most, Math.ceil(requests / 2)));
    queue.oneAtATime = true;
    queue.notBefore = Date.now() + pace.longestPoll;
  }

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
      const queue = queueOf(target);
      const request = requestOf(init);
      let outcome: BatchOutcome | null = await recorded(target, key, signal);
      for (let expired = 0; outcome === null || "again" in outcome; ) {
        if (outcome?.again === "expired" && ++expired >= MOST_EXPIRED)
          throw new Failure(
            "model-overloaded",
            `${target.name} did not answer in ${MOST_EXPIRED} batches, each of which expired. Continue later, or without --batch.`,
            { model: target.name },
          );
        outcome = await enqueue(queue, key, request, signal);
      }
      return new Response(outcome.body, {
        status: outcome.status,
        headers: { "content-type": "application/json" },
      });
    },
    settle: (key) => remote.settle(key),
    async close(isComplete) {
      clearInterval(timer);
      const running = remote.running();
      stop.abort(new Failure("cancelled", "The run has ended."));
      for (const { draft } of queues.values()) {
        const file = await draft?.file.catch(() => null);
        await file?.close();
        await file?.remove();
      }
      await remote.close();
      // What was not asked for again is in the memo.
      if (isComplete)
        for (const record of earlier.filter((one) => one.run === run))
          await dropBatchRecord(data, record.id);
      return running;
    },
  };
}

/** A program that was started, such as ffmpeg, has something to do. */
function hasChildren(): boolean {
  return process.getActiveResourcesInfo().includes("ProcessWrap");
}

function requestOf(init: RequestInit | undefined): { body: RequestBody; size: number } {
  const body = init?.body as unknown as RequestBody;
  if (typeof body === "string") return { body, size: Buffer.byteLength(body) };
  return { body, size: Number(new Headers(init?.headers).get("content-length")) };
}

async function unlessAborted<T>(promise: Promise<T>, signal: AbortSignal): Promise<T> {
  signal.throwIfAborted();
  const aborted = Promise.withResolvers<never>();
  const stop = () => aborted.reject(signal.reason);
  signal.addEventListener("abort", stop, { once: true });
  try {
    return await Promise.race([promise, aborted.promise]);
  } finally {
    signal.removeEventListener("abort", stop);
  }
}
