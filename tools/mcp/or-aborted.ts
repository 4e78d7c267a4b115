/** The result of `work`; throws the reason of the signal as soon as it is aborted. `work` itself continues. */
export async function orAborted<T>(work: Promise<T>, signal: AbortSignal | undefined): Promise<T> {
  if (signal === undefined) return work;
  const { promise, reject } = Promise.withResolvers<never>();
  const onAbort = () => reject(signal.reason);
  if (signal.aborted) onAbort();
  signal.addEventListener("abort", onAbort, { once: true });
  try {
    return await Promise.race([promise, work]);
  } finally {
    signal.removeEventListener("abort", onAbort);
  }
}
