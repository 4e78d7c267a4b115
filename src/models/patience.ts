/** How often and how long a call is retried. Times in milliseconds. */
export interface Patience {
  /** Attempts after the first. */
  retries: number;
  /** First pause; it doubles, times 1 to 2 at random. */
  pause: number;
  longestPause: number;
  /** The longest Retry-After of a server that is followed. */
  longestRetryAfter: number;
}

export const PATIENCE: Patience = {
  retries: 7,
  pause: 200,
  longestPause: 20_000,
  longestRetryAfter: 60_000,
};

/** Retries of a call in batches, each of which may take a day. */
const MOST_IN_BATCHES = 2;

/** The patience of a call whose attempts go through batches. */
export function patienceInBatches(given: Patience = PATIENCE): Patience {
  return { ...given, retries: Math.min(given.retries, MOST_IN_BATCHES) };
}
