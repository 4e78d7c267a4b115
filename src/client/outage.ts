import { ApiProblem } from "./problem.ts";

/** Whether a request may succeed later: a broken connection, or an error of the service or of a proxy before it. */
export function isOutage(error: unknown): boolean {
  if (!(error instanceof ApiProblem)) return true;
  return error.status === 408 || error.status >= 500;
}

/** Milliseconds before each further try: together a minute, in which a service is started again. */
export const PAUSES: readonly number[] = [250, 1000, 4000, 8000, 16_000, 32_000];

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
