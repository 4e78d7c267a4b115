import { clock } from "./clock.js";

export { clock } from "./clock.js";

/** `70.533 s (01:10)`: a time in a prompt, exact enough to identify its frame again. */
export function secondsAndClock(seconds: number): string {
  return `${Math.round(seconds * 1000) / 1000} s (${clock(seconds)})`;
}
