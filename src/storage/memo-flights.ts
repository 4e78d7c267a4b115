import type { Memo, MemoStep } from "../core/contracts.ts";
import { Failure } from "../core/errors.ts";
import { fromJson } from "./rows/from-json.ts";

type Awaitable<T> = T | Promise<T>;

/** A stored value as JSON. `run` is '' if every run may use it. */
export interface StoredStep {
  text: string;
  run: string;
}

/** What a memo needs of its database. `Lease` is the right to run a step. */
export interface StepStore<Lease extends object> {
  find(key: string, run: string): Awaitable<StoredStep | undefined>;
  /** Waits for a lease of the step, or for the value that another process stores. */
  acquire(step: MemoStep<never>, signal: AbortSignal): Promise<Lease | StoredStep>;
  /** Ends the lease and stores the value, unless the step was forgotten or taken over in the meantime. */
  store(step: MemoStep<never>, value: StoredStep, lease: Lease): Awaitable<void>;
  /** Ends the lease without a value. Does not throw. */
  release(lease: Lease): Awaitable<void>;
}

type FlightResult = (StoredStep & { cached: boolean }) | { error: unknown };

interface Flight {
  result: Promise<FlightResult>;
  /** Callers that wait for the value; at 0 the work is aborted. */
  waiters: number;
  stop: AbortController;
}

/**
 * The part of a memo within one process: callers of a key share one flight. Between processes, the leases of `steps`
 * decide. Every returned value is parsed from JSON, so it does not depend on which caller did the work.
 */
export function createMemoFlights<Lease extends object>(
  steps: StepStore<Lease>,
): Pick<Memo, "once" | "peek"> & {
  /** Aborts the flights; nothing is stored any more. */ close(): void;
} {
  const flights = new Map<string, Flight>();
  let closed = false;

  async function runStep<T>(
    step: MemoStep<T>,
    work: (signal: AbortSignal) => Promise<T>,
    signal: AbortSignal,
  ): Promise<FlightResult> {
    const got = await steps.acquire(step, signal);
    if ("text" in got) return { ...got, cached: true };
    try {
      const value = await work(signal);
      const text = JSON.stringify(value);
      if (text === undefined)
        throw new Failure(
          "data-malformed",
          "A step must return a JSON value; it returned undefined.",
        );
      const run = (step.reusable?.(value) ?? true) ? "" : step.run;
      if (!closed) await steps.store(step, { text, run }, got);
      return { text, run, cached: false };
    } catch (error) {
      if (!closed) await steps.release(got);
      throw error;
    }
  }

  function startFlight<T>(step: MemoStep<T>, work: (signal: AbortSignal) => Promise<T>): Flight {
    const stop = new AbortController();
    const result = runStep(step, work, stop.signal)
      .catch((error: unknown): FlightResult => ({ error }))
      .finally(() => flights.delete(step.key));
    const flight = { result, waiters: 0, stop };
    flights.set(step.key, flight);
    return flight;
  }

  function leave(flight: Flight, signal: AbortSignal | undefined): void {
    if (--flight.waiters === 0) flight.stop.abort(signal?.reason);
  }

  /** Waits for the flight's result, or rejects when the caller is aborted first. The caller counts as a waiter. */
  function land(flight: Flight, signal: AbortSignal | undefined): Promise<FlightResult> {
    return new Promise((resolve, reject) => {
      const onAbort = () => {
        leave(flight, signal);
        reject(cancelled(signal));
      };
      signal?.addEventListener("abort", onAbort, { once: true });
      void flight.result.then((landing) => {
        signal?.removeEventListener("abort", onAbort);
        resolve(landing);
      });
    });
  }

  /** The stored value. Meanwhile the caller counts as a waiter of `flight`, so that it is not aborted. */
  async function findDuring(flight: Flight | undefined, step: MemoStep<never>) {
    if (flight !== undefined) flight.waiters++;
    let found: StoredStep | undefined;
    let joins = false;
    try {
      found = await steps.find(step.key, step.run);
      joins = found === undefined && !closed && !step.signal?.aborted;
    } finally {
      if (flight !== undefined && !joins) leave(flight, step.signal);
    }
    if (found === undefined && !joins) throw cancelled(step.signal);
    return found;
  }

  return {
    async once<T>(step: MemoStep<T>, work: (signal: AbortSignal) => Promise<T>) {
      if (step.run === "")
        throw new Failure("wrong-usage", "A memo step must name its run; the name is empty.");
      for (;;) {
        if (closed || step.signal?.aborted) throw cancelled(step.signal);
        const seen = flights.get(step.key);
        const found = await findDuring(seen, step);
        if (found !== undefined) return { value: parse<T>(found.text), cached: true };
        const flying = seen ?? flights.get(step.key);
        const flight = flying ?? startFlight(step, work);
        if (seen === undefined) flight.waiters++;
        const landing = await land(flight, step.signal);
        const own = flying === undefined;
        if ("error" in landing) {
          if (own) throw flight.stop.signal.aborted ? cancelled(step.signal) : landing.error;
        } else if (landing.run === "" || landing.run === step.run) {
          return { value: parse<T>(landing.text), cached: landing.cached || !own };
        }
      }
    },
    async peek<T>(key: string, run: string) {
      const found = await steps.find(key, run);
      return found === undefined ? undefined : parse<T>(found.text);
    },
    close() {
      for (const flight of flights.values()) flight.stop.abort();
      closed = true;
    },
  };
}

/** A stored value has the type of the call with the same key, because the key covers everything that it depends on. */
function parse<T>(text: string): T {
  return fromJson(text, "a step") as T;
}

function cancelled(signal: AbortSignal | undefined): Failure {
  const cause = signal?.reason;
  return new Failure("cancelled", "Cancelled while waiting for a step.", {}, { cause });
}
