import { setTimeout as sleep } from "node:timers/promises";
import { Failure, isFailure } from "../../core/errors.ts";
import { AttemptError } from "../attempt.ts";
import { failureOf, isPassing } from "../retry.ts";
import type { Target } from "../server.ts";
import type { RemoteBatch } from "./batch-api.ts";
import { batchApiOf } from "./batch-api-of.ts";
import { type BatchRecord, writeBatchRecord } from "./batch-record.ts";
import type { RecordAccess } from "./record-target.ts";
import { removeBatch, removeEnded } from "./remove-batch.ts";
import { sortResults } from "./sort-results.ts";

/** A batch that was sent. */
export interface BatchProgress {
  /** From 1, in the order in which this process learned of them. */
  number: number;
  model: string;
  /** The provider's id. */
  batch: string;
  requests: number;
  done: number;
  /** Milliseconds since 1970. */
  sent_at: number;
  state: "running" | "ended";
}

/** Times in milliseconds. */
export interface Pace {
  /** Without a new call for so long, a draft is sent if no sample works, if this process does nothing, or in any case. */
  idle: number;
  quiet: number;
  longest: number;
  /** Pauses between looks at a batch: the first, and the longest. */
  firstPoll: number;
  longestPoll: number;
}

/** The reply to a request, or why it has to be sent again. */
export type BatchOutcome = { status: number; body: string } | { again: "expired" | "full" };

/** Who waits for the results of a batch. */
interface Receiver {
  result(key: string, outcome: BatchOutcome): void;
  failed(error: unknown): void;
}

/** Batches at their providers. */
export interface RemoteBatches {
  /** Uploads a file and starts a batch, noting each in the record. Throws `Failure`. */
  send(target: Target, record: BatchRecord, file: { path: string; bytes: number }): Promise<void>;
  /** Looks at a batch until it has ended, and gives its results to the receiver. */
  follow(target: Target, record: BatchRecord, receiver: Receiver): void;
  /** The result of a call in the batch of an earlier process; null: it was not sent, or has no result. */
  resultOf(target: Target, record: BatchRecord, key: string): Promise<BatchOutcome | null>;
  /** Whether a batch of this model is being processed. */
  isBusy(target: Target): boolean;
  /** Drops a batch, its files included, once all its calls are settled. */
  settle(key: string): void;
  running(): BatchProgress[];
  /** Ends the work, and drops those of the records of earlier processes whose results were read. */
  close(needless: readonly BatchRecord[]): Promise<void>;
}

interface Followed {
  target: Target;
  record: BatchRecord;
  progress: BatchProgress;
  open: Set<string>;
  results: string[];
  /** It was refused or cancelled: there are no more results to come back for. */
  isOver: boolean;
}

/** Looks that may fail one after another. */
const MOST_FAILED = 20;
const TIMEOUT_S = 60;
/** The slowest upload or download that is not given up. */
const SLOWEST_BYTES_PER_S = 100_000;
const LARGEST_RESULTS = 500_000_000;

export function createRemoteBatches({
  data,
  access,
  pace,
  signal,
  onProgress,
}: {
  data: string;
  access: RecordAccess;
  pace: Pace;
  signal: AbortSignal;
  onProgress?: (batches: readonly BatchProgress[]) => void;
}): RemoteBatches {
  const followed: Followed[] = [];
  const adopted = new Map<string, Promise<Map<string, BatchOutcome> | null>>();
  const removals = new Set<Promise<void>>();
  /** Ids of batches whose results this process could not read: a later one does, so that nothing is paid twice. */
  const unread = new Set<string>();
  const limits = (bytes = 0) => ({
    timeout_s: TIMEOUT_S + Math.ceil(bytes / SLOWEST_BYTES_PER_S),
    signal,
  });
  const changed = () => onProgress?.(followed.map(({ progress }) => progress));

  /** Repeats what failed for a reason that passes. */
  async function patiently<T>(target: Target, work: () => Promise<T>): Promise<T> {
    for (let failed = 1, wait = pace.firstPoll; ; failed++) {
      try {
        return await work();
      } catch (error) {
        if (!(error instanceof AttemptError)) throw error;
        if (!isPassing(error) || failed >= MOST_FAILED) throw failureOf(error, target);
        wait = Math.min(2 * wait, pace.longestPoll);
        await sleep(wait, undefined, { signal });
      }
    }
  }

  async function send(...[target, record, file]: Parameters<RemoteBatches["send"]>) {
    const api = batchApiOf(target);
    const { id } = record;
    record.input = await patiently(target, () =>
      api.upload(target, { id, ...file }, limits(file.bytes)),
    );
    await writeBatchRecord(data, record);
    const input = record.input;
    let isRepeated = false;
    const { name } = await patiently(target, async () => {
      // A request whose reply was lost may have started it.
      const started = isRepeated ? await api.find(target, id, limits()) : null;
      isRepeated = true;
      return started ?? (await api.create(target, { id, input }, limits()));
    });
    record.batch = name;
    await writeBatchRecord(data, record);
  }

  function list(target: Target, record: BatchRecord): Followed {
    const progress: BatchProgress = {
      number: followed.length + 1,
      model: record.model,
      batch: record.batch ?? "",
      requests: record.keys.length,
      done: 0,
      sent_at: Date.parse(record.created_at),
      state: "running",
    };
    const open = new Set(record.keys);
    const one = { target, record, progress, open, results: [], isOver: false };
    followed.push(one);
    changed();
    return one;
  }

  /** Waits for the end of a batch. */
  async function ended(one: Followed, firstWait: number): Promise<RemoteBatch> {
    const { target, record, progress } = one;
    const api = batchApiOf(target);
    for (let wait = firstWait; ; wait = Math.min(Math.max(1, wait) * 1.5, pace.longestPoll)) {
      await sleep(wait, undefined, { signal });
      const now = await patiently(target, () => api.get(target, record.batch ?? "", limits()));
      progress.done = now.done;
      if (now.state !== "running") progress.state = "ended";
      changed();
      if (now.state !== "running") {
        one.results = now.results;
        return now;
      }
    }
  }

  /** Every call of a batch with its outcome. Throws `Failure` if the batch failed as a whole or was cancelled. */
  async function* outcomes(
    one: Followed,
    firstWait: number,
  ): AsyncGenerator<[string, BatchOutcome]> {
    const { target, record } = one;
    const batch = await ended(one, firstWait);
    one.isOver = batch.state === "failed";
    if (batch.state === "failed")
      throw new Failure(
        "model-rejected",
        `${target.name} refused the batch ${batch.name}: ${batch.why ?? "no reason given"}`,
        { model: target.name, batch: batch.name },
      );
    const missing = new Set(record.keys);
    if (batch.state === "ended" || batch.state === "cancelled") {
      const api = batchApiOf(target);
      const large = { ...target, limits: { ...target.limits, bytes: LARGEST_RESULTS } };
      const lines = await patiently(target, () =>
        api.results(large, batch, limits(LARGEST_RESULTS)).catch((error: unknown) => {
          throw unreadableResults(error, target, batch) ?? error;
        }),
      );
      const { replies, problems } = sortResults(record.keys, lines);
      if (problems.length > 0)
        process.emitWarning(
          `The results of the batch ${batch.name} of ${target.name} have ${problems.join(", ")}: calls without a result are sent again.`,
        );
      for (const [key, reply] of replies) {
        missing.delete(key);
        yield [key, reply];
      }
    }
    one.isOver = batch.state === "cancelled";
    if (batch.state === "cancelled" && missing.size > 0)
      throw new Failure(
        "model-rejected",
        `The batch ${batch.name} of ${target.name} was cancelled before ${missing.size} of its ${record.keys.length} calls had a reply.`,
        { model: target.name, batch: batch.name },
      );
    const again = batch.state === "full" ? "full" : "expired";
    for (const key of missing) yield [key, { again }];
  }

  /** The results of a batch of an earlier process; null if it was never started, or is gone. */
  async function adopt(target: Target, record: BatchRecord) {
    const api = batchApiOf(target);
    const all = new Map<string, BatchOutcome>();
    try {
      if (record.batch === null) {
        const found = await patiently(target, () => api.find(target, record.id, limits()));
        if (found === null) {
          await removeBatch(data, target, record, []);
          return null;
        }
        record.batch = found.name;
        await writeBatchRecord(data, record);
      }
      for await (const [key, outcome] of outcomes(list(target, record), 0)) all.set(key, outcome);
    } catch (error) {
      if (!isGone(error)) {
        unread.add(record.id);
        throw error;
      }
      if (error.facts.status === NOT_FOUND)
        process.emitWarning(
          `${target.name} does not know the batch ${record.batch} any more: its ${record.keys.length} calls are sent again if they are still needed.`,
        );
      // The replies of a cancelled batch are not stored yet: it is dropped once its calls are settled.
      if (all.size === 0) await removeBatch(data, target, record, []);
    }
    return all;
  }

  const drop = ({ target, record, results }: Followed) =>
    removeBatch(data, target, record, results);

  return {
    send,
    follow(target, record, receiver) {
      const one = list(target, record);
      void (async () => {
        try {
          for await (const [key, outcome] of outcomes(one, pace.firstPoll))
            receiver.result(key, outcome);
        } catch (error) {
          if (!one.isOver) unread.add(record.id);
          else if (!signal.aborted) await drop(one);
          receiver.failed(error);
        }
      })();
    },
    async resultOf(target, record, key) {
      const results = adopted.get(record.id) ?? adopt(target, record);
      adopted.set(record.id, results);
      return (await results)?.get(key) ?? null;
    },
    isBusy: ({ name }) =>
      followed.some(
        ({ record, progress }) => record.model === name && progress.state === "running",
      ),
    settle(key) {
      for (const one of followed)
        if (one.open.delete(key) && one.open.size === 0 && !unread.has(one.record.id)) {
          const removal = drop(one).finally(() => removals.delete(removal));
          removals.add(removal);
        }
    },
    running: () =>
      followed.flatMap(({ progress }) => (progress.state === "running" ? progress : [])),
    async close(needless) {
      await Promise.all(removals);
      for (const record of needless) {
        const one = followed.find((other) => other.record.id === record.id);
        if (unread.has(record.id) || one?.progress.state === "running") continue;
        if (one === undefined) await removeEnded(data, record, access);
        else if (one.open.size > 0) await drop(one);
      }
    },
  };
}

/** The failure of a file without any result; undefined for other errors. */
function unreadableResults(error: unknown, target: Target, batch: RemoteBatch) {
  if (!(error instanceof AttemptError) || error.trouble.kind !== "unusable") return undefined;
  return new Failure(
    "model-unusable",
    `The results of the batch ${batch.name} of ${target.name} cannot be read: ${target.baseUrl} sent ${error.message}.`,
    { model: target.name, base_url: target.baseUrl, batch: batch.name },
  );
}

/** Whether a batch failed, was cancelled or is gone, so that what has no result is sent again. */
function isGone(error: unknown): error is Failure {
  if (!isFailure(error, "model-rejected")) return false;
  const { status } = error.facts;
  return status === undefined || status === NOT_FOUND;
}

const NOT_FOUND = 404;
