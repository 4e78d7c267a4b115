import { setTimeout as sleep } from "node:timers/promises";
import type { RateTable } from "../../core/rate-table.ts";
import type { RateLimits } from "../../core/settings.ts";
import {
  allowedRates,
  countRequests,
  giveBackTurn,
  type RateState,
  settleTokens,
  slowDown,
  type Turn,
  takeTurns,
  waitFor,
} from "./rate-state.ts";
import { createSharedState, LOOK_MS } from "./shared-state.ts";

/** The start of a request that a limiter allows. */
export interface Start {
  /** Call it when the request is sent, or not sent after all: the next one may follow. */
  begun(): void;
  /** Replaces the expected tokens with those that were used. */
  settle(tokens: number): void;
  /** The server answered 429. `pause_ms`: how long it asks to wait; 0 if it does not say. */
  refused(pause_ms: number): void;
}

/** What a person may see of a limiter. */
export interface RateView {
  /** Allowed a minute at present over all processes; null: no limit. */
  allowed: RateLimits;
  /** The share of the limit that is in use: below 1 after a 429. */
  share: number;
  /** Requests of this process that wait. */
  waiting: number;
  /** Requests of this process that waited, and their seconds. */
  waited: number;
  waited_s: number;
}

/** Limits the requests to one endpoint, over all processes that share its table. */
export interface RateLimiter {
  /**
   * Waits until a request with about this many tokens may start, in the order of the calls. Rejects with the reason of
   * the signal.
   */
  start(tokens: number, limits: RateLimits, signal: AbortSignal): Promise<Start>;
  view(): RateView;
}

interface Waiter {
  tokens: number;
  limits: RateLimits;
  signal: AbortSignal;
  since: number;
  go: PromiseWithResolvers<Start>;
}

/** Shorter waits are not counted: a request to the table takes as long. */
const NO_WAIT_S = 0.05;

/**
 * Creates the limiter of one endpoint. Waiting requests queue in this process, and only the first ones get turns from the
 * table, so that processes take turns however long their queues are. A request that waits looks at the table about once a
 * second, and knows when it may start.
 */
export function createRateLimiter(table: RateTable, endpoint: string): RateLimiter {
  const shared = createSharedState(table, endpoint);
  const queue: Waiter[] = [];
  let isServing = false;
  let uncounted = 0;
  let latest: RateLimits = { requests: null, tokens: null };
  let waited = 0;
  let waited_s = 0;

  /** Whether requests need turns: a limit is set, or was learned. */
  async function isLimited({ requests, tokens }: RateLimits): Promise<boolean> {
    if (requests !== null || tokens !== null) return true;
    if (shared.age() > LOOK_MS) {
      const count = uncounted;
      uncounted = 0;
      const looked = shared.change((state, now_ms) => ({
        state: countRequests(state, now_ms, count),
        result: undefined,
      }));
      // A lost table limits nothing: what was known stays.
      if (shared.now() === undefined) await looked.catch(() => {});
      else looked.catch(() => {});
    }
    return shared.now()?.learned != null;
  }

  function tell(apply: (state: RateState, now_ms: number) => RateState): void {
    shared
      .change((state, now_ms) => ({ state: apply(state, now_ms), result: undefined }))
      // Only the rate of later requests depends on it.
      .catch(() => {});
  }

  function allow(waiter: Waiter, turn: Turn | null): { start: Start; begun: Promise<void> } {
    const { tokens, limits } = waiter;
    const begun = Promise.withResolvers<void>();
    const seen = turn?.shrinks ?? shared.now()?.shrinks ?? 0;
    const seconds = (performance.now() - waiter.since) / 1000;
    if (seconds > NO_WAIT_S) {
      waited++;
      waited_s += seconds;
    }
    const start: Start = {
      begun: begun.resolve,
      settle(actual) {
        if (limits.tokens === null || actual === tokens) return;
        tell((state, now_ms) => settleTokens(state, now_ms, limits, tokens, actual));
      },
      refused(pause_ms) {
        const count = uncounted;
        uncounted = 0;
        tell((state, now_ms) =>
          slowDown(countRequests(state, now_ms, count), now_ms, limits, seen, pause_ms),
        );
      },
    };
    return { start, begun: begun.promise };
  }

  /** Waits until a turn is due. The state may change meanwhile. */
  async function untilDue({ due_ms }: Turn, signal: AbortSignal): Promise<void> {
    for (;;) {
      const state = shared.now();
      const wait = state === undefined ? 0 : waitFor(state, due_ms);
      if (wait <= 0) return;
      const toLook = LOOK_MS - shared.age();
      // If the table is lost, the turn is due by what was known.
      if (toLook <= 0 && (await looked())) continue;
      await sleep(Math.ceil(Math.min(wait, toLook > 0 ? toLook : LOOK_MS)), undefined, { signal });
    }
  }

  const looked = () =>
    shared.look().then(
      () => true,
      () => false,
    );

  async function serve(): Promise<void> {
    isServing = true;
    while (queue.length > 0) {
      const [first] = queue as [Waiter];
      const { limits } = first;
      const wanted = queue.filter((waiter) => sameLimits(waiter, first));
      let turns: Turn[];
      try {
        turns = await shared.change((state, now_ms) => {
          const taken = takeTurns(
            state,
            now_ms,
            limits,
            wanted.map(({ tokens }) => tokens),
          );
          return { state: taken.state, result: taken.turns };
        });
      } catch (error) {
        // Without the table nobody knows when a request may start. Others may find it back.
        remove(first);
        first.go.reject(error);
        continue;
      }
      for (const [index, turn] of turns.entries()) {
        const waiter = wanted[index] as Waiter;
        await untilDue(turn, waiter.signal).catch(() => {});
        if (!remove(waiter)) {
          // Cancelled. A turn that is not given back only passes unused.
          tell((state, now_ms) => giveBackTurn(state, now_ms, limits, waiter.tokens));
          continue;
        }
        const { start, begun } = allow(waiter, turn);
        waiter.go.resolve(start);
        await begun;
      }
    }
    isServing = false;
  }

  function remove(waiter: Waiter): boolean {
    const at = queue.indexOf(waiter);
    if (at >= 0) queue.splice(at, 1);
    return at >= 0;
  }

  return {
    async start(tokens, limits, signal) {
      signal.throwIfAborted();
      latest = limits;
      const since = performance.now();
      const waiter = { tokens, limits, signal, since, go: Promise.withResolvers<Start>() };
      if (!(await isLimited(limits))) {
        uncounted++;
        return allow(waiter, null).start;
      }
      const leave = () => {
        if (remove(waiter)) waiter.go.reject(signal.reason);
      };
      signal.addEventListener("abort", leave, { once: true });
      queue.push(waiter);
      if (!isServing) void serve();
      try {
        return await waiter.go.promise;
      } finally {
        signal.removeEventListener("abort", leave);
      }
    },
    view() {
      const state = shared.now();
      return {
        allowed: state === undefined ? latest : allowedRates(state, latest),
        share: state === undefined ? 1 : Math.min(1, state.speed),
        waiting: queue.length,
        waited,
        waited_s,
      };
    },
  };
}

function sameLimits(one: Waiter, other: Waiter): boolean {
  const { requests, tokens } = other.limits;
  return one.limits.requests === requests && one.limits.tokens === tokens;
}
