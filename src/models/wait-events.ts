import type { EventBody } from "../core/events.ts";
import type { Pause } from "./retry.ts";
import type { Target } from "./target.ts";

type Server = Pick<Target, "baseUrl">;

/** Shorter pauses are over before a person has read of them. */
const SHORTEST_TOLD_S = 2;

/** Tells a person that a call waits for a rate limit, with the seconds so far. */
export function waitOf(server: Server, seconds: number): EventBody {
  const unit = `s of waiting for the rate limit of ${hostOf(server)}`;
  return { type: "progress", done: seconds, total: null, unit };
}

/** For `onPause` of `withRetry`: tells a person that a call is repeated after a pause, unless the pause is short. */
export function pauseTeller(
  server: Server,
  tell: (event: EventBody) => void,
): (pause: Pause) => void {
  return ({ seconds, why }) => {
    if (seconds < SHORTEST_TOLD_S) return;
    const unit = `s of waiting before ${hostOf(server)} is asked again (${why})`;
    tell({ type: "progress", done: Math.round(seconds), total: null, unit });
  };
}

function hostOf({ baseUrl }: Server): string {
  return new URL(baseUrl).host;
}
