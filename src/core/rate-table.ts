/** The state of an endpoint's rate limit, and the time at which it was read, in milliseconds by the clock of the table. */
export interface RateMoment {
  /** JSON; undefined for an endpoint that has none yet. */
  state: unknown;
  now_ms: number;
}

/** States of rate limits that processes share. The time is that of the table: clocks of processes do not matter. */
export interface RateTable {
  /**
   * Replaces a state, one change at a time over all processes. `change` is called again if the change has to be repeated.
   */
  update(
    endpoint: string,
    change: (state: unknown, now_ms: number) => unknown,
  ): Promise<RateMoment>;
  read(endpoint: string): Promise<RateMoment>;
}
