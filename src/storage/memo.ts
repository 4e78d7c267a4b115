import type { DatabaseSync } from "node:sqlite";
import { setTimeout as sleep } from "node:timers/promises";
import type { Memo, MemoStep } from "../core/contracts.ts";
import { Failure } from "../core/errors.ts";
import { createLeases, type Lease, type LeaseTiming, type Sighting } from "./leases.ts";
import { fromJson, guarded, transaction } from "./sqlite.ts";

/** Milliseconds between looks at a step that another process is doing. */
const FIRST_WAIT_MS = 5;
const LONGEST_WAIT_MS = 100;

/** How a flight ended. `run` is '' where the value serves every run. */
type Landing = { text: string; run: string; cached: boolean } | { error: unknown };

interface Flight {
  landed: Promise<Landing>;
  /** Callers that still want the value; at none the work is told to stop. */
  wanted: number;
  stop: AbortController;
}

/**
 * The memo on SQLite. Within a process the callers of a key share one flight; between processes a lease row decides.
 * Values go through JSON on every way out, so what a caller gets does not depend on who did the work.
 */
export function createMemo(
  db: DatabaseSync,
  timing?: LeaseTiming,
): Memo & { /** Stops what is in flight. */ close(): void } {
  const flights = new Map<string, Flight>();
  const leases = createLeases(db, timing);
  let closed = false;

  const find = db.prepare(
    // A damaged value is done again.
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

  function kept(key: string, run: string): { text: string; run: string } | undefined {
    const row = guarded("reading a kept step", () => find.get(key, run));
    return row === undefined ? undefined : { text: String(row.value), run: String(row.run) };
  }

  /** The right to do the step, or the value that another process kept meanwhile. */
  async function acquire(
    step: MemoStep<never>,
    signal: AbortSignal,
  ): Promise<Lease | { text: string; run: string }> {
    let seen: Sighting | undefined;
    for (let wait = FIRST_WAIT_MS; ; wait = Math.min(wait * 2, LONGEST_WAIT_MS)) {
      signal.throwIfAborted();
      const got =
        kept(step.key, step.run) ??
        leases.look(step.key, seen) ??
        transaction(
          db,
          "starting a step",
          () => kept(step.key, step.run) ?? leases.take(step.key, step.tags, seen),
        );
      if (!("since" in got)) return got;
      seen = got;
      await sleep(wait, undefined, { signal });
    }
  }

  async function fly<T>(
    step: MemoStep<T>,
    work: (signal: AbortSignal) => Promise<T>,
    signal: AbortSignal,
  ): Promise<Landing> {
    const got = await acquire(step, signal);
    if ("text" in got) return { ...got, cached: true };
    try {
      const value = await work(signal);
      const text = JSON.stringify(value);
      if (text === undefined)
        throw new Failure("data-malformed", "Expected a step to give a JSON value, got undefined.");
      const run = (step.reusable?.(value) ?? true) ? "" : step.run;
      keep(step, run, text, got);
      return { text, run, cached: false };
    } catch (error) {
      giveUp(got);
      throw error;
    }
  }

  function keep(step: MemoStep<never>, run: string, text: string, lease: Lease) {
    if (closed) return;
    transaction(db, "keeping a step", () => {
      // Forgotten while in flight, or taken over: what comes late is for its callers alone.
      if (!lease.end()) return;
      if (run === "") dropStep.run(step.key);
      insert.run(step.key, run, text);
      for (const tag of step.tags) insertTag.run(tag, step.key);
    });
  }

  function giveUp(lease: Lease) {
    if (closed) return;
    try {
      lease.end();
    } catch {
      // The disk is full or the store locked: the step's own error is what counts, and a lease without beat ends by itself.
    }
  }

  function takeOff<T>(step: MemoStep<T>, work: (signal: AbortSignal) => Promise<T>): Flight {
    const stop = new AbortController();
    const landed = fly(step, work, stop.signal)
      .catch((error: unknown): Landing => ({ error }))
      .finally(() => flights.delete(step.key));
    const flight = { landed, wanted: 0, stop };
    flights.set(step.key, flight);
    return flight;
  }

  /** The flight's landing, unless the caller is aborted first. */
  function join(flight: Flight, signal: AbortSignal | undefined): Promise<Landing> {
    flight.wanted++;
    return new Promise((resolve, reject) => {
      const leave = () => {
        if (--flight.wanted === 0) flight.stop.abort(signal?.reason);
        reject(cancelled(signal));
      };
      signal?.addEventListener("abort", leave, { once: true });
      void flight.landed.then((landing) => {
        signal?.removeEventListener("abort", leave);
        resolve(landing);
      });
    });
  }

  return {
    async once<T>(step: MemoStep<T>, work: (signal: AbortSignal) => Promise<T>) {
      if (step.run === "")
        throw new Failure(
          "wrong-usage",
          "Expected a memo step to name its run, got an empty name.",
        );
      for (;;) {
        if (closed || step.signal?.aborted) throw cancelled(step.signal);
        const found = kept(step.key, step.run);
        if (found !== undefined) return { value: parse<T>(found.text), cached: true };
        const flying = flights.get(step.key);
        const flight = flying ?? takeOff(step, work);
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
      const found = kept(key, run);
      return found === undefined ? undefined : parse<T>(found.text);
    },
    async forget(tag) {
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

/** Kept values are of the type that the same key was kept with: the key names what it depends on. */
function parse<T>(text: string): T {
  return fromJson(text, "a step") as T;
}

function cancelled(signal: AbortSignal | undefined): Failure {
  const cause = signal?.reason;
  return new Failure("cancelled", "Cancelled while waiting for a step.", {}, { cause });
}
