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

/** Tells a person that a call is repeated after a pause; undefined for a short one. */
export function pauseOf(server: Server, { seconds, why }: Pause): EventBody | undefined {
  if (seconds < SHORTEST_TOLD_S) return undefined;
  const unit = `s of waiting before ${hostOf(server)} is asked again (${why})`;
  return { type: "progress", done: Math.round(seconds), total: null, unit };
}

function hostOf({ baseUrl }: Server): string {
  return new URL(baseUrl).host;
}
