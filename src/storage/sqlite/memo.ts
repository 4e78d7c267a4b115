import type { DatabaseSync } from "node:sqlite";
import { setTimeout as sleep } from "node:timers/promises";
import type { Memo, MemoStep } from "../../core/contracts.ts";
import { Failure } from "../../core/errors.ts";
import { createLeases, type HolderObservation, type Lease, type LeaseTiming } from "./leases.ts";
import { fromJson, guard, transaction } from "./transaction.ts";
import type { WriteQueue } from "./write-queue.ts";

/** Milliseconds between checks of a step that another process runs. */
const FIRST_WAIT_MS = 5;
const LONGEST_WAIT_MS = 100;

/** Result of a flight. `run` is '' if every run may use the value. */
type FlightResult = { text: string; run: string; cached: boolean } | { error: unknown };

interface Flight {
  result: Promise<FlightResult>;
  /** Callers that wait for the value; at 0 the work is aborted. */
  waiters: number;
  stop: AbortController;
}

/**
 * The memo in SQLite. Within a process, callers of a key share one flight; between processes, a lease row decides.
 * Every returned value is parsed from JSON, so it does not depend on which caller did the work.
 */
export function createMemo(
  db: DatabaseSync,
  queue: WriteQueue,
  timing?: LeaseTiming,
): Memo & { /** Aborts the flights. */ close(): void } {
  const flights = new Map<string, Flight>();
  const leases = createLeases(db, timing);
  let closed = false;

  const find = db.prepare(
    // A step with a damaged value is run again.
    "SELECT value, run FROM steps WHERE key = ? AND run IN ('', ?) AND json_valid(value)",
  );
  const insert = db.prepare("INSERT OR REPLACE INTO steps (key, run, value) VALUES (?, ?, ?)");
  const insertTag = db.prepare("INSERT OR IGNORE INTO step_tags (tag, key) VALUES (?, ?)");
  const dropStep = db.prepare("DELETE FROM steps WHERE key = ?");
  const dropTagged = db.prepare(
    "DELETE FROM steps WHERE key IN (SELECT key FROM step_tags WHERE tag = ?)",
  );
  const dropTags = db.prepare(
    "DELETE FROM step_tags WHERE key IN (SELECT key FROM step_tags WHERE tag = ?)",
  );
  const dropLeases = db.prepare(
    "DELETE FROM leases WHERE EXISTS (SELECT 1 FROM json_each(leases.tags) WHERE value = ?)",
  );

  function findValue(key: string, run: string): { text: string; run: string } | undefined {
    const row = guard("reading a stored step", () => find.get(key, run));
    return row === undefined ? undefined : { text: String(row.value), run: String(row.run) };
  }

  /** A lease for the step, or the value that another process has stored in the meantime. */
  async function acquire(
    step: MemoStep<never>,
    signal: AbortSignal,
  ): Promise<Lease | { text: string; run: string }> {
    let seen: HolderObservation | undefined;
    for (let wait = FIRST_WAIT_MS; ; wait = Math.min(wait * 2, LONGEST_WAIT_MS)) {
      signal.throwIfAborted();
      const got =
        findValue(step.key, step.run) ??
        leases.check(step.key, seen) ??
        transaction(
          db,
          "starting a step",
          () => findValue(step.key, step.run) ?? leases.take(step.key, step.tags, seen),
        );
      if (!("since" in got)) return got;
      seen = got;
      await sleep(wait, undefined, { signal });
    }
  }

  async function runStep<T>(
    step: MemoStep<T>,
    work: (signal: AbortSignal) => Promise<T>,
    signal: AbortSignal,
  ): Promise<FlightResult> {
    const got = await acquire(step, signal);
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
      await storeValue(step, run, text, got);
      return { text, run, cached: false };
    } catch (error) {
      releaseLease(got);
      throw error;
    }
  }

  async function storeValue(step: MemoStep<never>, run: string, text: string, lease: Lease) {
    if (closed) return;
    await queue.write("storing a step", () => {
      // Forgotten or taken over while in flight: only the callers of this flight get the value.
      if (!lease.end()) return;
      if (run === "") dropStep.run(step.key);
      insert.run(step.key, run, text);
      for (const tag of step.tags) insertTag.run(tag, step.key);
    });
  }

  function releaseLease(lease: Lease) {
    if (closed) return;
    try {
      lease.end();
    } catch {
      // The disk is full or the store is locked. The caller gets the step's own error; a lease without heartbeat expires.
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

  /** Waits for the flight's result, or rejects when the caller is aborted first. */
  function join(flight: Flight, signal: AbortSignal | undefined): Promise<FlightResult> {
    flight.waiters++;
    return new Promise((resolve, reject) => {
      const leave = () => {
        if (--flight.waiters === 0) flight.stop.abort(signal?.reason);
        reject(cancelled(signal));
      };
      signal?.addEventListener("abort", leave, { once: true });
      void flight.result.then((landing) => {
        signal?.removeEventListener("abort", leave);
        resolve(landing);
      });
    });
  }

  return {
    async once<T>(step: MemoStep<T>, work: (signal: AbortSignal) => Promise<T>) {
      if (step.run === "")
        throw new Failure("wrong-usage", "A memo step must name its run; the name is empty.");
      for (;;) {
        if (closed || step.signal?.aborted) throw cancelled(step.signal);
        const found = findValue(step.key, step.run);
        if (found !== undefined) return { value: parse<T>(found.text), cached: true };
        const flying = flights.get(step.key);
        const flight = flying ?? startFlight(step, work);
        const landing = await join(flight, step.signal);
        const own = flying === undefined;
        if ("error" in landing) {
          if (own) throw flight.stop.signal.aborted ? cancelled(step.signal) : landing.error;
        } else if (landing.run === "" || landing.run === step.run) {
          return { value: parse<T>(landing.text), cached: landing.cached || !own };
        }
      }
    },
    async peek<T>(key: string, run: string) {
      const found = findValue(key, run);
      return found === undefined ? undefined : parse<T>(found.text);
    },
    async forget(tag) {
      queue.flush();
      return transaction(db, "forgetting steps", () => {
        dropLeases.run(tag);
        const { changes } = dropTagged.run(tag);
        dropTags.run(tag);
        return Number(changes);
      });
    },
    close() {
      for (const flight of flights.values()) flight.stop.abort();
      closed = true;
      leases.close();
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
