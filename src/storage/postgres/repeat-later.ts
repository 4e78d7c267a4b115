import { setTimeout as sleep } from "node:timers/promises";

const PAUSE_MS = 5_000;

/**
 * Repeats work that the database was away for, until it succeeds or the store is closed. Used to end what others would
 * wait for until this process ends.
 */
export async function repeatLater(
  work: () => Promise<unknown>,
  closing: AbortSignal,
): Promise<void> {
  for (let isDone = false; !isDone; ) {
    await sleep(PAUSE_MS, undefined, { ref: false, signal: closing }).catch(() => {});
    if (closing.aborted) return;
    isDone = await work().then(
      () => true,
      () => false,
    );
  }
}
