import type { RateTable } from "../../core/rate-table.ts";

/** States of one process. `now` returns milliseconds; tests replace it. */
export function createMemoryTable(now: () => number = () => performance.now()): RateTable {
  const states = new Map<string, unknown>();
  return {
    async update(endpoint, change) {
      const now_ms = now();
      const state = change(states.get(endpoint), now_ms);
      states.set(endpoint, state);
      return { state, now_ms };
    },
    read: async (endpoint) => ({ state: states.get(endpoint), now_ms: now() }),
  };
}
