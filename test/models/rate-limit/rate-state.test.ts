import fc from "fast-check";
import { expect, test } from "vitest";
import {
  advance,
  allowedRates,
  countRequests,
  newRateState,
  type RateState,
  readRateState,
  settleTokens,
  slowDown,
  takeTurns,
  waitFor,
} from "../../../src/models/rate-limit/rate-state.ts";

const MINUTE = 60_000;
const BURST = 1_000;
const NONE = { requests: null, tokens: null };
const near = (value: number) => value + 1e-6 * Math.max(1, Math.abs(value));

/** What happens after a while: calls that want to start, a reply, or a 429. */
const step = fc.record({
  after: fc.oneof(fc.integer({ min: 0, max: 50 }), fc.integer({ min: 0, max: 5_000 })),
  what: fc.oneof(
    fc.record({
      wanted: fc.array(fc.integer({ min: 0, max: 5_000 }), { minLength: 1, maxLength: 4 }),
    }),
    fc.record({ settled: fc.nat(4), tokens: fc.integer({ min: 0, max: 8_000 }) }),
    fc.record({ refused: fc.nat(20), pause: fc.constantFrom(0, 0, 200, 4_000) }),
  ),
});
const rate = (min: number) => fc.option(fc.integer({ min, max: 50 * min }), { nil: null });
const limits = fc
  .record({ requests: rate(20), tokens: rate(20_000) })
  .filter(({ requests, tokens }) => requests !== null || tokens !== null);

interface Simulated {
  due_ms: number;
  shrinks: number;
  /** Tokens as they count; the actual ones once settled. */
  tokens: number;
  /** Tokens of all calls before, as they counted when the turn was taken, and its own expected ones. */
  before: number;
  expected: number;
  at: number | null;
}

test("Any calls, replies and 429s at any times start in order, within the limits and outside of pauses", () => {
  fc.assert(
    fc.property(limits, fc.array(step, { maxLength: 60 }), (limits, steps) => {
      let now = 5;
      let state = newRateState(now);
      const calls: Simulated[] = [];
      const pauses: [from: number, to: number][] = [];
      /** Starts what is due until `until`, each call at its moment. */
      const run = (until: number) => {
        for (;;) {
          const next = calls.filter(({ at }) => at === null).sort((a, b) => a.due_ms - b.due_ms)[0];
          if (next === undefined) break;
          const at = state.at_ms + waitFor(state, next.due_ms);
          if (at > until) break;
          state = advance(state, at);
          next.at = at;
        }
        state = advance(state, until);
      };
      for (const { after, what } of steps) {
        now += after;
        run(now);
        if ("wanted" in what) {
          const taken = takeTurns(state, now, limits, what.wanted);
          expect(taken.turns.length).toBeGreaterThan(0);
          state = taken.state;
          for (const [index, turn] of taken.turns.entries()) {
            const before = calls.reduce((sum, { tokens }) => sum + tokens, 0);
            const tokens = what.wanted[index] as number;
            calls.push({ ...turn, tokens, expected: tokens, before, at: null });
          }
        } else if ("settled" in what) {
          const call = calls[what.settled];
          if (call?.at == null || call.tokens !== call.expected) continue;
          call.tokens = what.tokens;
          state = settleTokens(state, now, limits, call.expected, what.tokens);
        } else {
          const call = calls[what.refused];
          if (call?.at == null) continue;
          const slower = slowDown(state, now, limits, call.shrinks, what.pause);
          expect(slower.speed).toBeLessThanOrEqual(state.speed);
          expect(slower.learned).toBeNull();
          state = slower;
          if (what.pause > 0) pauses.push([now, now + what.pause]);
        }
      }
      run(now + 1e9);
      const starts = calls.map(({ at }) => at as number);
      expect(starts).not.toContain(null);
      expect(starts).toEqual([...starts].sort((a, b) => a - b));
      for (const [from, to] of pauses)
        for (const at of starts) expect(at > from && near(at) < to).toBe(false);
      const each = limits.requests === null ? 0 : MINUTE / limits.requests;
      const first = starts[0] ?? 0;
      for (const [j, call] of calls.entries()) {
        const at = starts[j] as number;
        for (let i = 0; i < j; i++)
          expect((j - i) * each).toBeLessThanOrEqual(
            near(at - (starts[i] as number) + Math.max(0, BURST - each)),
          );
        if (limits.tokens === null) continue;
        const cost = MINUTE / limits.tokens;
        const burst = Math.max(0, BURST - call.expected * cost);
        expect(call.before * cost).toBeLessThanOrEqual(near(at - first + burst));
      }
    }),
    { numRuns: 300 },
  );
});

test("The time until a turn is when the rate clock reaches it, however the speed changes", () => {
  const state = fc.record({
    speed: fc.double({ min: 1 / 16, max: 1, noNaN: true }),
    paused: fc.integer({ min: 0, max: 60_000 }),
    learned: fc.option(fc.constant(1_000), { nil: null }),
  });
  fc.assert(
    fc.property(state, fc.integer({ min: 1, max: 90_000 }), ({ paused, ...more }, way) => {
      const begun: RateState = { ...newRateState(0), ...more, paused_until_ms: paused };
      const wait = waitFor(begun, way);
      expect(wait).toBeGreaterThanOrEqual(paused);
      // In two steps as in one, and through JSON.
      const half = advance(begun, wait / 3);
      const there = advance(readRateState(JSON.parse(JSON.stringify(half)), 0), wait);
      if (there.learned === more.learned) expect(there.clock_ms).toBeCloseTo(way, 3);
    }),
  );
});

test("Calls share one limit: a burst of a second, then evenly, whoever asks", () => {
  const limits = { requests: 120, tokens: null };
  let state = newRateState(0);
  const dues: number[] = [];
  for (let n = 0; n < 6; n++) {
    const taken = takeTurns(state, 0, limits, [0]);
    state = taken.state;
    dues.push(...taken.turns.map(({ due_ms }) => due_ms));
  }
  expect(dues).toEqual([0, 0, 500, 1000, 1500, 2000]);
  // Of many calls, those that may start shortly get turns.
  expect(takeTurns(newRateState(0), 0, limits, [0, 0, 0, 0]).turns).toHaveLength(2);
});

test("A 429 halves the rate once for the calls in flight; it returns within two minutes", () => {
  const limits = { requests: 60, tokens: 6_000 };
  const first = slowDown(newRateState(0), 2_000, limits, 0, 0);
  expect(allowedRates(first, limits)).toEqual({ requests: 30, tokens: 3_000 });
  expect(slowDown(first, 2_500, limits, 0, 0).speed).toBeCloseTo(0.5, 2);
  expect(slowDown(first, 4_000, limits, 0, 0).speed).toBeCloseTo(0.5, 1);
  const second = slowDown(first, 4_000, limits, 1, 0);
  expect(second.speed).toBeCloseTo(0.25, 1);
  expect(advance(second, 64_000).speed).toBeCloseTo(0.5, 1);
  expect(advance(first, 122_000).speed).toBe(1);
});

test("Without a limit, a 429 makes one of the requests of late, which fades", () => {
  const busy = countRequests(newRateState(0), 0, 800);
  const learned = slowDown(busy, 1_000, NONE, 0, 0);
  // 800 requests within ten seconds, of which a second has passed: half of about 4,340 a minute.
  expect(allowedRates(learned, NONE).requests).toBeCloseTo(2_172, 0);
  expect(allowedRates(advance(learned, 61_000), NONE).requests).toBeCloseTo(6_515, 0);
  // A server that refuses some requests at any rate slows them down to a quarter at most.
  const refused = [2_500, 4_000, 5_500].reduce(
    (state, at) => slowDown(state, at, NONE, state.shrinks, 0),
    learned,
  );
  expect(refused.speed).toBe(0.25);
  const later = advance(learned, 95_000);
  expect(allowedRates(later, NONE).requests).toBeNull();
  expect(takeTurns(later, 95_000, NONE, [0, 0, 0]).turns).toHaveLength(3);
  // A limit that is set replaces it.
  const set = takeTurns(learned, 1_000, { requests: 60, tokens: null }, [0]).state;
  expect(set).toMatchObject({ learned: null, speed: 0.5 });
});

test("A damaged state begins again", () => {
  expect(readRateState({ clock_ms: "x" }, 7)).toEqual(newRateState(7));
});
