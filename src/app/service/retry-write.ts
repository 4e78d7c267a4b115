import { setTimeout as sleep } from "node:timers/promises";
import { type Failure, isDiskFailure, isFailure } from "../../core/errors.ts";

/** Delay between two attempts: it doubles from the first value to the second. */
const FIRST_PAUSE_MS = 250;
const LONGEST_PAUSE_MS = 15_000;

/** Whether an operation that failed with this error may succeed later: the disk is full or read-only, or the database is away. */
export function isStoreAway(error: unknown): error is Failure {
  return isDiskFailure(error) || isFailure(error, "store-unreachable");
}

/** Milliseconds before the attempt after `tries` failed ones. */
export function pauseAfter(tries: number, longest_ms = LONGEST_PAUSE_MS): number {
  return Math.min(FIRST_PAUSE_MS * 2 ** (tries - 1), longest_ms);
}

/**
 * Retries a write while the disk is full or read-only, or the database cannot be reached. Returns without writing if the signal is aborted during a delay.
 * Throws any other error, and the first error if the signal was aborted before.
 *
 * @param onError Called after each failed attempt; `tries` counts from 1.
 */
export async function retryWrite(
  write: () => Promise<void>,
  signal: AbortSignal,
  onError: (error: unknown, tries: number) => void,
): Promise<void> {
  for (let tries = 1; ; tries++) {
    try {
      return await write();
    } catch (error) {
      if (!isStoreAway(error) || signal.aborted) throw error;
      onError(error, tries);
    }
    await sleep(pauseAfter(tries), undefined, { signal }).catch(() => undefined);
    if (signal.aborted) return;
  }
}
