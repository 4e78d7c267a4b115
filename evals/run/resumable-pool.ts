import { setImmediate as yieldToEvents } from "node:timers/promises";
import { type Failure, isFailure, toFailure } from "../../src/core/errors.ts";
import type { SpendingCap } from "../../src/core/spending-cap.ts";

/** A result that is stored, as far as a pool needs it. */
export interface StoredResult {
  attempt: number;
  error?: unknown;
}

/** What remains to be done of some items. */
export interface OpenTasks<T> {
  /** Items without a result, or with one that failed; `attempt` counts from 0. */
  open: { item: T; attempt: number }[];
  total: number;
}

/** The number of the next attempt, from 0; null after a good result. */
export function nextAttempt(result: StoredResult | undefined): number | null {
  if (result === undefined) return 0;
  return result.error === undefined ? null : result.attempt + 1;
}

/** Finds what remains: good results stay, failed ones are tried again. */
export function openTasks<T>(
  items: readonly T[],
  resultOf: (item: T) => StoredResult | undefined,
): OpenTasks<T> {
  const open = items.flatMap((item) => {
    const attempt = nextAttempt(resultOf(item));
    return attempt === null ? [] : [{ item, attempt }];
  });
  return { open, total: items.length };
}

export interface Pool<T> {
  /** In the order in which they are begun. */
  tasks: readonly T[];
  /** Tasks at once. */
  width: number;
  /** The caller's. No task is begun after it, and those that run are aborted. */
  signal?: AbortSignal;
  /** What all tasks may pay. */
  cap?: SpendingCap;
  /**
   * Does a task and stores its result, errors of the task alone included. What it throws stops the pool. Its signal also
   * aborts when another task stops the pool.
   */
  run(task: T, signal: AbortSignal): Promise<void>;
  /** What was being done when an unexpected error came, as a clause: `asking sample q7`. */
  doing(task: T): string;
  /** Whether enough is done, so that no further task is begun. */
  isEnough?(): boolean;
}

/** Why a pool stopped. All are false or null if every task was done, or if `isEnough` said so. */
export interface PoolEnd {
  /** What would stop every other task as well. */
  fatal: Failure | null;
  /** The cap refused a call. Tasks that were running could finish. */
  capped: boolean;
  cancelled: boolean;
}

/**
 * Runs tasks, so many at once, until all are done or one throws. Never throws itself. Each result is stored by its task
 * before the next one begins, so that the same tasks can be continued after a stop at any moment.
 */
export async function runPool<T>(pool: Pool<T>): Promise<PoolEnd> {
  const stop = new AbortController();
  const signal =
    pool.signal === undefined ? stop.signal : AbortSignal.any([pool.signal, stop.signal]);
  const queue = pool.tasks.values();
  let fatal: Failure | null = null;
  let capped = false;

  async function worker(): Promise<void> {
    while (!capped && !signal.aborted && pool.isEnough?.() !== true) {
      const next = queue.next();
      if (next.done === true) return;
      try {
        await pool.run(next.value, signal);
      } catch (error) {
        if (isFailure(error, "limit-met") && pool.cap?.met() === true) capped = true;
        else {
          fatal ??= toFailure(error, "store-damaged", pool.doing(next.value));
          stop.abort(fatal);
        }
      }
      // Answers from the memo come without a pause in which anything else could run.
      await yieldToEvents();
    }
  }

  const width = Math.min(pool.width, pool.tasks.length);
  await Promise.all(Array.from({ length: width }, worker));
  return { fatal, capped, cancelled: pool.signal?.aborted === true };
}
