import { setTimeout as sleep } from "node:timers/promises";
import { isDiskFailure } from "../../core/errors.ts";

/** Milliseconds between two tries. */
const FIRST_PAUSE_MS = 250;
const LONGEST_PAUSE_MS = 15_000;

/**
 * Tries a write until a disk that is full or read-only takes it. Returns without having written if the signal is aborted
 * meanwhile; throws any other error, and the first one if the signal was aborted before.
 *
 * @param onTrouble Called after each failed try; `tries` counts from 1.
 */
export async function onceWritable(
  write: () => Promise<void>,
  signal: AbortSignal,
  onTrouble: (error: unknown, tries: number) => void,
): Promise<void> {
  for (let tries = 1; ; tries++) {
    try {
      return await write();
    } catch (error) {
      if (!isDiskFailure(error) || signal.aborted) throw error;
      onTrouble(error, tries);
    }
    const pause_ms = Math.min(FIRST_PAUSE_MS * 2 ** (tries - 1), LONGEST_PAUSE_MS);
    await sleep(pause_ms, undefined, { signal }).catch(() => undefined);
    if (signal.aborted) return;
  }
}
