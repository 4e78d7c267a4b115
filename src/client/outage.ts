import { ApiProblem } from "./problem.ts";

/** Whether a request may succeed later: a broken connection, or an error of the service or of a proxy before it. */
export function isOutage(error: unknown): boolean {
  if (!(error instanceof ApiProblem)) return true;
  return error.status === 408 || error.status >= 500;
}

/**
 * Does `work` up to `tries` times, until there is no outage. The pauses grow. Throws the error of the last try, and the
 * reason of the signal.
 */
export async function retry<T>(
  work: () => Promise<T>,
  { tries, signal }: { tries: number; signal?: AbortSignal | undefined },
): Promise<T> {
  for (let failed = 1; ; failed++) {
    try {
      return await work();
    } catch (error) {
      if (signal?.aborted || !isOutage(error) || failed >= tries) throw error;
    }
    await pause(pauseMs(failed), signal);
  }
}

const FIRST_PAUSE_MS = 250;
const LONGEST_PAUSE_MS = 20_000;

/** Milliseconds before the next try after so many that failed. Six pauses take a minute. */
export function pauseMs(failed: number): number {
  return Math.min(FIRST_PAUSE_MS * 4 ** (failed - 1), LONGEST_PAUSE_MS);
}

/** Waits for so many milliseconds. Throws the reason of the signal as soon as it is aborted. */
export async function pause(ms: number, signal: AbortSignal | undefined): Promise<void> {
  signal?.throwIfAborted();
  const { promise, resolve, reject } = Promise.withResolvers<void>();
  const timer = setTimeout(resolve, ms);
  const onAbort = () => reject(signal?.reason);
  signal?.addEventListener("abort", onAbort, { once: true });
  try {
    await promise;
  } finally {
    clearTimeout(timer);
    signal?.removeEventListener("abort", onAbort);
  }
}
