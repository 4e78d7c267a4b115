import type { RateTable } from "../../core/rate-table.ts";
import { advance, type RateState, readRateState } from "./rate-state.ts";

/** After this time, the state is read again: another process may have changed it. */
export const LOOK_MS = 1_000;

/** The state of one endpoint, as this process knows it. */
export interface SharedState {
  /** Applies a change to the table. Changes that are asked for at the same time are one change of the table. */
  change<T>(
    apply: (state: RateState, now_ms: number) => { state: RateState; result: T },
  ): Promise<T>;
  /** Reads the table. */
  look(): Promise<void>;
  /** The state at this moment, by what was read last; undefined before. Never ahead of the table's clock. */
  now(): RateState | undefined;
  /** Milliseconds since the last look or change. */
  age(): number;
}

export function createSharedState(table: RateTable, endpoint: string): SharedState {
  let known: { state: RateState; now_ms: number; at: number } | undefined;
  let waiting: ((state: RateState, now_ms: number) => RateState)[] = [];
  /** The next change of the table, until it begins, and the one before. */
  let turn: Promise<void> | undefined;
  let previous: Promise<void> = Promise.resolve();

  function learn(stored: unknown, now_ms: number): void {
    known = { state: readRateState(stored, now_ms), now_ms, at: performance.now() };
  }

  /** Applies all changes that wait, once the change before is written. */
  function flush(): Promise<void> {
    turn ??= (async () => {
      await previous;
      const changes = waiting;
      waiting = [];
      turn = undefined;
      const { state, now_ms } = await table.update(endpoint, (stored, at_ms) =>
        changes.reduce((state, change) => change(state, at_ms), readRateState(stored, at_ms)),
      );
      learn(state, now_ms);
    })();
    const flushed = turn;
    previous = flushed.catch(() => {});
    return flushed;
  }
  return {
    async change(apply) {
      let result: { value: ReturnType<typeof apply>["result"] } | undefined;
      waiting.push((before, now_ms) => {
        const applied = apply(before, now_ms);
        result = { value: applied.result };
        return applied.state;
      });
      await flush();
      return (result as { value: ReturnType<typeof apply>["result"] }).value;
    },
    async look() {
      const { state, now_ms } = await table.read(endpoint);
      learn(state, now_ms);
    },
    now: () => known && advance(known.state, known.now_ms + performance.now() - known.at),
    age: () => (known === undefined ? Number.POSITIVE_INFINITY : performance.now() - known.at),
  };
}
