/** How a call waits for others in flight. */
export interface Waiting {
  /** False for calls that are sent together with others, in batches. Default: true. */
  waits?: boolean;
  /** Ends the waiting. */
  signal?: AbortSignal | undefined;
}

/** The calls in flight of one cap. */
export interface CallsInFlight {
  /** A call begins. Returns what tells that it is settled. */
  begin(): () => void;
  /** Number of calls that were settled so far. */
  settled(): number;
  /**
   * Waits until more calls are settled than `since`; false if there is nothing to wait for. Throws what aborted the
   * signal.
   */
  next(since: number, options?: Waiting): Promise<boolean>;
}

/** Creates the count of one cap, without calls. */
export function callsInFlight(): CallsInFlight {
  let calls = 0;
  let settled = 0;
  let change = Promise.withResolvers<void>();
  return {
    begin() {
      calls++;
      return () => {
        calls--;
        settled++;
        change.resolve();
        change = Promise.withResolvers();
      };
    },
    settled: () => settled,
    async next(since, { waits = true, signal } = {}) {
      if (!waits) return false;
      signal?.throwIfAborted();
      if (settled > since) return true;
      if (calls === 0) return false;
      const aborted = Promise.withResolvers<never>();
      const onAbort = () => aborted.reject(signal?.reason);
      signal?.addEventListener("abort", onAbort, { once: true });
      try {
        await Promise.race([change.promise, aborted.promise]);
      } finally {
        signal?.removeEventListener("abort", onAbort);
      }
      return true;
    },
  };
}
