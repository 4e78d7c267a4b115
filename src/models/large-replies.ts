import pLimit from "p-limit";

/** Bytes beyond which a reply counts as large. */
export const LARGE_REPLY = 2 ** 20;

/**
 * Number of large replies that one process reads at once: more of them would fill the memory, and block everything else
 * while they are parsed.
 */
const places = pLimit(2);

/** Waits for the place of a large reply, and returns the function that frees it. Throws the signal's reason. */
export async function placeForLargeReply(signal: AbortSignal): Promise<() => void> {
  const begun = Promise.withResolvers<void>();
  const ended = Promise.withResolvers<void>();
  const stop = () => begun.reject(signal.reason);
  signal.addEventListener("abort", stop, { once: true });
  void places(() => {
    begun.resolve();
    return ended.promise;
  });
  try {
    signal.throwIfAborted();
    await begun.promise;
  } catch (error) {
    ended.resolve();
    throw error;
  } finally {
    signal.removeEventListener("abort", stop);
  }
  return ended.resolve;
}
