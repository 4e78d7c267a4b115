import { z } from "zod";
import type { RateLimits } from "../../core/settings.ts";

/*
 * The rate limit of an endpoint as a state with pure functions, so that it can be kept anywhere and tested with any clock.
 *
 * Calls start by a clock of its own, the rate clock, in milliseconds: it runs as fast as real time at the full rate, slower
 * after a 429, and not at all while a `Retry-After` lasts. At a limit of n requests a minute, each request takes 60,000 / n
 * of it; tokens likewise. A call gets a time on the rate clock. So the times of all waiting calls move when the rate changes.
 */

const MINUTE_MS = 60_000;
/** Calls may start together if they take less than this of the rate clock: a burst. */
const BURST_MS = 1_000;
/** Calls that may start within this time get their times together, so that not each of them asks the table. */
const HORIZON_MS = 250;
/** More would let one process take a whole burst. */
const MOST_TURNS = 8;

/** A 429 halves the rate, at most once in this time: those of calls that started before it say nothing new. */
const ROUND_MS = 1_000;
const SLOWEST = 1 / 16;
/** The slowest share of a learned limit, which was not the server's: some servers refuse requests at any rate. */
const SLOWEST_LEARNED = 1 / 4;
/** What the rate gains in a minute without a 429, as a share of the limit; a learned one ends at `FADED`. */
const GAIN = 0.25;
const LEARNED_GAIN = 1;
const FADED = 2;
/** The least requests a minute at which a learned limit begins: fewer are slowed down by retries. */
const LEAST_LEARNED = 3000;
/** Requests are counted over about this time, to learn a limit. */
const RECENT_MS = 10_000;

const RateStateSchema = z.object({
  /** The time of this state. */
  at_ms: z.number(),
  clock_ms: z.number(),
  /** The speed of the clock: the share of the limit that is used. */
  speed: z.number(),
  paused_until_ms: z.number(),
  /** When the next request and the next token are due, on the rate clock. */
  next_request_ms: z.number(),
  next_token_ms: z.number(),
  /** The last time given to a call. */
  last_due_ms: z.number(),
  shrinks: z.number(),
  shrunk_at_ms: z.number(),
  /** Requests a minute at the first 429 of an endpoint without a limit. */
  learned: z.number().nullable(),
  /** Requests of late without a limit. */
  recent: z.number(),
});
export type RateState = z.infer<typeof RateStateSchema>;

export function newRateState(now_ms: number): RateState {
  return {
    at_ms: now_ms,
    clock_ms: 0,
    speed: 1,
    paused_until_ms: 0,
    next_request_ms: 0,
    next_token_ms: 0,
    last_due_ms: 0,
    shrinks: 0,
    shrunk_at_ms: now_ms - ROUND_MS,
    learned: null,
    recent: 0,
  };
}

/** A stored state; a new one if it is missing or damaged. */
export function readRateState(stored: unknown, now_ms: number): RateState {
  const read = RateStateSchema.safeParse(stored);
  return read.success ? read.data : newRateState(now_ms);
}

/** The state at a later time. An earlier one changes nothing. */
export function advance(state: RateState, now_ms: number): RateState {
  const elapsed = now_ms - state.at_ms;
  if (elapsed <= 0) return state;
  const running = elapsed - Math.min(elapsed, pauseLeft(state));
  const isLearned = state.learned !== null;
  const speed = Math.min(fastest(isLearned), state.speed + gain(isLearned) * running);
  const clock_ms = state.clock_ms + distance(state, running);
  const later = {
    ...state,
    at_ms: now_ms,
    clock_ms,
    speed,
    recent: state.recent * Math.exp(-elapsed / RECENT_MS),
  };
  if (!isLearned || speed < FADED) return later;
  // Calls that wait for a learned limit may start when it ends.
  return { ...later, learned: null, speed: 1, clock_ms: Math.max(clock_ms, state.last_due_ms) };
}

/** Milliseconds from the time of the state until the rate clock reaches `due_ms`. */
export function waitFor(state: RateState, due_ms: number): number {
  const way = due_ms - state.clock_ms;
  const pause = pauseLeft(state);
  if (way <= 0) return pause;
  const isLearned = state.learned !== null;
  const [rise, top] = [gain(isLearned), fastest(isLearned)];
  const rising = (top - state.speed) / rise;
  const risen = distance(state, rising);
  if (way > risen) return pause + rising + (way - risen) / top;
  return pause + (Math.sqrt(state.speed ** 2 + 2 * rise * way) - state.speed) / rise;
}

/** The time of a call on the rate clock. */
export interface Turn {
  due_ms: number;
  /** The state's `shrinks` when the turn was given. */
  shrinks: number;
}

/**
 * Gives turns to calls, in their order: the first one, and those after it that may start shortly. `wanted`: the tokens that
 * each call is expected to take.
 */
export function takeTurns(
  before: RateState,
  now_ms: number,
  limits: RateLimits,
  wanted: readonly number[],
): { state: RateState; turns: Turn[] } {
  let state = withLimits(advance(before, now_ms), limits);
  const horizon = state.clock_ms + HORIZON_MS;
  const turns: Turn[] = [];
  for (const tokens of wanted.slice(0, MOST_TURNS)) {
    const taken = takeTurn(state, limits, tokens);
    if (turns.length > 0 && taken.last_due_ms > horizon) break;
    state = taken;
    turns.push({ due_ms: state.last_due_ms, shrinks: state.shrinks });
  }
  return { state, turns };
}

function takeTurn(state: RateState, limits: RateLimits, tokens: number): RateState {
  const requests = requestsOf(state, limits);
  const ofRequest = requests === null ? 0 : MINUTE_MS / requests;
  const ofTokens = limits.tokens === null ? 0 : (tokens * MINUTE_MS) / limits.tokens;
  const due = Math.max(
    state.clock_ms,
    state.last_due_ms,
    requests === null ? 0 : state.next_request_ms - burst(ofRequest),
    limits.tokens === null ? 0 : state.next_token_ms - burst(ofTokens),
  );
  return {
    ...state,
    last_due_ms: due,
    next_request_ms: Math.max(state.next_request_ms, due) + ofRequest,
    next_token_ms: Math.max(state.next_token_ms, due) + ofTokens,
    recent: state.recent + 1,
  };
}

/** Replaces the expected tokens of a call with the actual ones. */
export function settleTokens(
  before: RateState,
  now_ms: number,
  limits: RateLimits,
  expected: number,
  actual: number,
): RateState {
  const state = advance(before, now_ms);
  if (limits.tokens === null) return state;
  const difference = ((actual - expected) * MINUTE_MS) / limits.tokens;
  return { ...state, next_token_ms: state.next_token_ms + difference };
}

/** Gives back the turn of a call that was not sent, so that the next one gets it. */
export function giveBackTurn(
  before: RateState,
  now_ms: number,
  limits: RateLimits,
  tokens: number,
): RateState {
  const state = settleTokens(before, now_ms, limits, tokens, 0);
  const requests = requestsOf(state, limits);
  if (requests === null) return state;
  return { ...state, next_request_ms: state.next_request_ms - MINUTE_MS / requests };
}

/** Counts requests without a limit, so that one can be learned. */
export function countRequests(before: RateState, now_ms: number, requests: number): RateState {
  const state = advance(before, now_ms);
  return { ...state, recent: state.recent + requests };
}

/**
 * Slows down after a 429 of a call that started when the state had `seen` shrinks. `pause_ms`: how long no call may start.
 * Without a limit, the requests of late become one, which fades.
 */
export function slowDown(
  before: RateState,
  now_ms: number,
  limits: RateLimits,
  seen: number,
  pause_ms: number,
): RateState {
  const advanced = advance(before, now_ms);
  const paused_until_ms = Math.max(advanced.paused_until_ms, advanced.at_ms + pause_ms);
  const state = { ...advanced, paused_until_ms };
  const isNew = seen >= state.shrinks && state.at_ms - state.shrunk_at_ms >= ROUND_MS;
  const isUnlimited = limits.requests === null && limits.tokens === null && state.learned === null;
  if (!isNew && !isUnlimited) return state;
  const shrunk = { ...state, shrinks: state.shrinks + 1, shrunk_at_ms: state.at_ms };
  const slowest = state.learned === null ? SLOWEST : SLOWEST_LEARNED;
  if (!isUnlimited) return { ...shrunk, speed: Math.max(slowest, Math.min(1, state.speed) / 2) };
  const measured = (state.recent * MINUTE_MS) / RECENT_MS;
  return { ...shrunk, speed: 0.5, learned: Math.max(LEAST_LEARNED, measured) };
}

/** Requests a minute that are allowed at present, and tokens; null: no limit. */
export function allowedRates({ speed, learned }: RateState, limits: RateLimits): RateLimits {
  const own = limits.requests !== null || limits.tokens !== null;
  const requests = own ? limits.requests : learned;
  return {
    requests: requests === null ? null : requests * speed,
    tokens: limits.tokens === null ? null : limits.tokens * speed,
  };
}

function requestsOf({ learned }: RateState, { requests, tokens }: RateLimits): number | null {
  return requests === null && tokens === null ? learned : requests;
}

/** A limit that is set replaces a learned one. */
function withLimits(state: RateState, { requests, tokens }: RateLimits): RateState {
  if (state.learned === null || (requests === null && tokens === null)) return state;
  return { ...state, learned: null, speed: Math.min(1, state.speed) };
}

function burst(taken_ms: number): number {
  return Math.max(0, BURST_MS - taken_ms);
}

function pauseLeft({ paused_until_ms, at_ms }: RateState): number {
  return Math.max(0, paused_until_ms - at_ms);
}

/** Per millisecond. */
function gain(isLearned: boolean): number {
  return (isLearned ? LEARNED_GAIN : GAIN) / MINUTE_MS;
}

function fastest(isLearned: boolean): number {
  return isLearned ? FADED : 1;
}

/** How far the rate clock runs in so many milliseconds without a pause. */
function distance({ speed, learned }: RateState, running_ms: number): number {
  const isLearned = learned !== null;
  const [rise, top] = [gain(isLearned), fastest(isLearned)];
  const rising = Math.min(running_ms, Math.max(0, (top - speed) / rise));
  return speed * rising + (rise * rising ** 2) / 2 + top * (running_ms - rising);
}
