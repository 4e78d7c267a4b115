/** How a call waits for others in flight. */
export interface Waiting {
  /** False for calls that are sent together with others, in batches. Default: true. */
  waits?: boolean;
  /** Ends the waiting. */
  signal?: AbortSignal | undefined;
}

/** A call from its reservation on. One of the two is called once. */
export interface CallInFlight {
  /** What was reserved for it is free again, or spent. */
  settled(): void;
  /** Nothing could be reserved for it. */
  refused(): void;
}

/** The calls in flight of one cap. */
export interface CallsInFlight {
  /** A call begins: at the latest in the tick in which its reservation counts, so that others wait for it. */
  begin(): CallInFlight;
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

  function end(): void {
    calls--;
    change.resolve();
    change = Promise.withResolvers();
  }

  return {
    begin() {
      calls++;
      return {
        settled() {
          settled++;
          end();
        },
        refused: end,
      };
    },
    settled: () => settled,
    async next(since, { waits = true, signal } = {}) {
      if (!waits) return false;
      const aborted = Promise.withResolvers<never>();
      const onAbort = () => aborted.reject(signal?.reason);
      signal?.addEventListener("abort", onAbort, { once: true });
      try {
        for (;;) {
          signal?.throwIfAborted();
          if (settled > since) return true;
          if (calls === 0) return false;
          await Promise.race([change.promise, aborted.promise]);
        }
      } finally {
        signal?.removeEventListener("abort", onAbort);
      }
    },
  };
}
