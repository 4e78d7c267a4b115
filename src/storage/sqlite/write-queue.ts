import type { DatabaseSync } from "node:sqlite";
import { isBusy, storeFailure, transaction } from "./transaction.ts";

/** Small writes of many questions, which share transactions. */
export interface WriteQueue {
  /**
   * Runs a write with the others of this turn of the event loop, in their order, in one transaction. Resolves once it is
   * committed; rejects with a `Failure` that names the action `doing`. `work` may run twice; only the last run counts.
   */
  write<T>(doing: string, work: () => T): Promise<T>;
  /** Like `write`, for what nothing waits for: it is written with the next write, or after a few milliseconds. */
  writeSoon<T>(doing: string, work: () => T): Promise<T>;
  /** Runs what waits, before something that depends on it. */
  flush(): void;
}

interface Waiting {
  doing: string;
  work: () => unknown;
  resolve(value: unknown): void;
  reject(error: unknown): void;
}

const SOON_MS = 5;

/** A transaction costs more than a row: a question that the memo answers writes a dozen rows. */
export function createWriteQueue(db: DatabaseSync): WriteQueue {
  const waiting: Waiting[] = [];
  let scheduled: NodeJS.Immediate | undefined;
  let timer: NodeJS.Timeout | undefined;

  function flush(): void {
    clearImmediate(scheduled);
    clearTimeout(timer);
    scheduled = undefined;
    timer = undefined;
    const writes = waiting.splice(0);
    if (writes.length > 1 && writeTogether(writes)) return;
    for (const { doing, work, resolve, reject } of writes)
      try {
        resolve(transaction(db, doing, work));
      } catch (error) {
        reject(error);
      }
  }

  /** Returns false if one of them may have failed because of itself: each is then written with its own error. */
  function writeTogether(writes: readonly Waiting[]): boolean {
    let values: unknown[];
    try {
      values = transaction(db, "writing to the store", () => writes.map(({ work }) => work()));
    } catch (error) {
      const cause = error instanceof Error ? error.cause : undefined;
      // Another process has the store for longer than a write waits: each would wait as long again.
      if (!isBusy(cause)) return false;
      for (const { doing, reject } of writes) reject(storeFailure(cause, doing));
      return true;
    }
    for (const [index, { resolve }] of writes.entries()) resolve(values[index]);
    return true;
  }

  function add<T>(doing: string, work: () => T): Promise<T> {
    return new Promise<T>((resolve, reject) => {
      waiting.push({ doing, work, resolve: resolve as (value: unknown) => void, reject });
    });
  }

  return {
    write(doing, work) {
      scheduled ??= setImmediate(flush);
      return add(doing, work);
    },
    writeSoon(doing, work) {
      timer ??= setTimeout(flush, SOON_MS);
      return add(doing, work);
    },
    flush,
  };
}
