import { randomUUID } from "node:crypto";
import { join } from "node:path";
import { setTimeout as sleep } from "node:timers/promises";
import { Failure } from "../../core/errors.ts";
import type { Target } from "../server.ts";
import { accountOf } from "../uploads.ts";
import { batchApiOf } from "./batch-api-of.ts";
import { type BatchFile, createBatchFile, type RequestBody } from "./batch-file.ts";
import { type BatchRecord, batchFolder, writeBatchRecord } from "./batch-record.ts";
import type { BatchOutcome, Pace, RemoteBatches } from "./remote-batches.ts";
import type { SamplePlaces } from "./sample-places.ts";
import { unlessAborted } from "./unless-aborted.ts";

/** Calls that are collected in files until the files are sent as batches. */
export interface Drafts {
  /** Adds a call to the draft of its model, and waits for its reply. */
  add(
    target: Target,
    key: string,
    request: { body: RequestBody; size: number },
    signal: AbortSignal,
  ): Promise<BatchOutcome>;
  /** Drops what was not sent. */
  close(): Promise<void>;
}

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
  /** Full drafts that wait for the end of another batch. */
  full: Draft[];
  /** Drafts that are being uploaded and started. */
  sending: number;
  /** The provider's queue was full: smaller batches, one after another. */
  most: number;
  oneAtATime: boolean;
  notBefore: number;
}

export function createDrafts(options: {
  data: string;
  run: string;
  pace: Pace;
  places: Pick<SamplePlaces, "isIdle">;
  remote: Pick<RemoteBatches, "send" | "follow" | "isBusy">;
  /** Whether a program works for a sample. */
  isPreparing: () => boolean;
  /** Aborted at the end of the work. */
  signal: AbortSignal;
}): Drafts {
  const { data, run, pace, places, remote, isPreparing } = options;
  const queues = new Map<string, Queue>();
  const hasWorked = watchWork();
  /** When this process last did something. */
  let workedAt = Date.now();
  let timer: NodeJS.Timeout | undefined;

  function queueOf(target: Target): Queue {
    const id = JSON.stringify([target.name, target.baseUrl, accountOf(target)]);
    const known = queues.get(id);
    if (known !== undefined) return known;
    const { most } = batchApiOf(target);
    const made: Queue = {
      ...{ target, draft: null, full: [], sending: 0 },
      ...{ most: most.requests, oneAtATime: false, notBefore: 0 },
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

  /** Sends a full draft, or lets it wait if the provider takes one batch at a time. */
  async function finish(queue: Queue, draft: Draft): Promise<void> {
    if (!queue.oneAtATime) return send(queue, draft);
    queue.full.push(draft);
    watch();
    while (draft.writing > 0) await sleep(20);
    // Many may wait: none of them keeps its file open.
    await draft.file.then((file) => file.close()).catch(() => undefined);
  }

  /** Sends the drafts that are due, as long as there are any. */
  function watch(): void {
    timer ??= setInterval(
      () => {
        const all = [...queues.values()];
        if (all.every(({ draft, full }) => draft === null && full.length === 0)) {
          clearInterval(timer);
          timer = undefined;
          return;
        }
        const now = Date.now();
        const isIdle = places.isIdle() && !isPreparing();
        if (hasWorked() || isPreparing()) workedAt = now;
        for (const queue of all) {
          const isBusy = queue.sending > 0 || remote.isBusy(queue.target);
          if (now < queue.notBefore || (queue.oneAtATime && isBusy)) continue;
          const full = queue.full.shift();
          const { draft } = queue;
          if (full !== undefined) void send(queue, full);
          else if (draft !== null && draft.writing === 0) {
            const since = now - draft.lastAt;
            const isQuiet = now - Math.max(draft.lastAt, workedAt) >= pace.quiet;
            const isDue = (isIdle && since >= pace.idle) || isQuiet || since >= pace.longest;
            if (isDue) void send(queue, draft);
          }
        }
      },
      Math.min(250, pace.idle),
    );
  }

  /** Sends a draft. Its failures are those of its calls. */
  async function send(queue: Queue, draft: Draft): Promise<void> {
    if (queue.draft === draft) queue.draft = null;
    queue.sending++;
    try {
      await sendFile(queue, draft);
    } finally {
      queue.sending--;
    }
  }

  async function sendFile(queue: Queue, draft: Draft): Promise<void> {
    while (draft.writing > 0) await sleep(20);
    const { target } = queue;
    const file = await draft.file.catch(() => null);
    if (file === null || draft.waiters.size === 0 || options.signal.aborted) {
      await file?.close();
      await file?.remove();
      return;
    }
    const record: BatchRecord = {
      ...{ format: 1, id: draft.id, run, model: target.name, base_url: target.baseUrl },
      ...{ account: accountOf(target), created_at: draft.created_at, input: null, batch: null },
      keys: [...draft.waiters.keys()],
    };
    const { waiters } = draft;
    try {
      await file.close();
      await writeBatchRecord(data, record);
      await remote.send(target, record, { path: file.path, bytes: file.bytes() });
      await file.remove();
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
      for (const waiter of waiters.values()) waiter.reject(error);
      await file.remove();
    }
  }

  function slowDown(queue: Queue, requests: number): void {
    queue.most = Math.max(1, Math.min(queue.most, Math.ceil(requests / 2)));
    queue.oneAtATime = true;
    queue.notBefore = Date.now() + pace.longestPoll;
  }

  return {
    async add(target, key, { body, size }, signal) {
      const queue = queueOf(target);
      const { most, line } = batchApiOf(target);
      const around = line(key);
      const bytes = size + Buffer.byteLength(around.before + around.after) + 1;
      if (bytes > most.bytes)
        throw new Failure(
          "model-rejected",
          `A call of ${target.name} has ${Math.ceil(bytes / 2 ** 20)} MB, and a file of a batch at most ${most.bytes / 2 ** 20} MB. Send fewer frames, or leave --batch out.`,
          { bytes, limit: most.bytes },
        );
      const { draft: before } = queue;
      if (before !== null && (before.bytes + bytes > most.bytes || before.waiters.has(key))) {
        queue.draft = null;
        void finish(queue, before);
      }
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
      if (isFull) queue.draft = null;
      watch();
      try {
        await (await draft.file).append(around, body, size);
      } catch (error) {
        draft.waiters.delete(key);
        throw error;
      } finally {
        draft.writing--;
        draft.lastAt = Date.now();
        if (isFull) void finish(queue, draft);
      }
      return unlessAborted(outcome, signal);
    },
    async close() {
      clearInterval(timer);
      for (const { draft, full } of queues.values())
        for (const one of [...full, ...(draft === null ? [] : [draft])]) {
          const file = await one.file.catch(() => null);
          await file?.close();
          await file?.remove();
        }
    },
  };
}

/** A process that only waits takes less of a processor. */
const WORKING_SHARE = 0.1;

/** Says whether this process has worked since the last look: samples may still prepare their videos. */
function watchWork(): () => boolean {
  let [at, before] = [performance.now(), process.cpuUsage()];
  return () => {
    const [now, cpu] = [performance.now(), process.cpuUsage()];
    const used_ms = (cpu.user + cpu.system - before.user - before.system) / 1000;
    const share = used_ms / Math.max(1, now - at);
    [at, before] = [now, cpu];
    return share >= WORKING_SHARE;
  };
}
