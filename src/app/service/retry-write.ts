import { setTimeout as sleep } from "node:timers/promises";
import { isDiskFailure, isFailure } from "../../core/errors.ts";

/** Delay between two attempts: it doubles from the first value to the second. */
const FIRST_PAUSE_MS = 250;
const LONGEST_PAUSE_MS = 15_000;

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
      const passes = isDiskFailure(error) || isFailure(error, "store-unreachable");
      if (!passes || signal.aborted) throw error;
      onError(error, tries);
    }
    const pause_ms = Math.min(FIRST_PAUSE_MS * 2 ** (tries - 1), LONGEST_PAUSE_MS);
    await sleep(pause_ms, undefined, { signal }).catch(() => undefined);
    if (signal.aborted) return;
  }
}
