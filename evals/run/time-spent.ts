import type { Event } from "../../src/core/events.ts";
import type { RunLine } from "./run-line.ts";

/**
 * The time of one sample in seconds. Calls may overlap, so model time and waiting time are sums over calls and can
 * exceed the wall time. `model_s` has the original duration of every reply, `own_s` and `waited_s` are measured in this
 * process. `began` and `ended` in milliseconds since 1970.
 */
export function timeSpent(
  events: readonly Event[],
  began: number,
  ended: number,
): NonNullable<RunLine["time"]> {
  const calls = events.flatMap((event) =>
    event.type === "call" ? [{ ...event.call, to: event.at }] : [],
  );
  const known = calls.flatMap(({ model_s }) => model_s ?? []);
  const busy = covered(calls.map(({ to, seconds }) => [to - 1000 * seconds, to]));
  return {
    model_s: rounded(sum(known)),
    own_s: rounded(Math.max(0, ended - began - busy) / 1000),
    waited_s: rounded(sum(calls.flatMap(({ waited_s }) => waited_s ?? []))),
    unknown_calls: calls.filter(({ model_s, finish }) => model_s == null && finish !== "failed")
      .length,
  };
}

/** Length of the union of intervals. */
function covered(intervals: readonly [from: number, to: number][]): number {
  let length = 0;
  let reached = Number.NEGATIVE_INFINITY;
  for (const [from, to] of [...intervals].sort(([a], [b]) => a - b)) {
    length += Math.max(0, to - Math.max(from, reached));
    reached = Math.max(reached, to);
  }
  return length;
}

function sum(values: readonly number[]): number {
  return values.reduce((total, value) => total + value, 0);
}

function rounded(seconds: number): number {
  return Math.round(seconds * 1000) / 1000;
}
