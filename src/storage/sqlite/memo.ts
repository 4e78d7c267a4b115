import type { DatabaseSync } from "node:sqlite";
import { setTimeout as sleep } from "node:timers/promises";
import type { Memo, MemoStep } from "../../core/contracts.ts";
import { createMemoFlights, type StoredStep } from "../memo-flights.ts";
import { createLeases, type HolderObservation, type Lease, type LeaseTiming } from "./leases.ts";
import { guard, transaction } from "./transaction.ts";
import type { WriteQueue } from "./write-queue.ts";

/** Milliseconds between checks of a step that another process runs. */
const FIRST_WAIT_MS = 5;
const LONGEST_WAIT_MS = 100;

/** The memo in SQLite. Between processes, a lease row decides. */
export function createMemo(
  db: DatabaseSync,
  queue: WriteQueue,
  timing?: LeaseTiming,
): Memo & { /** Aborts the flights. */ close(): void } {
  const leases = createLeases(db, timing);

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

  function findValue(key: string, run: string): StoredStep | undefined {
    const row = guard("reading a stored step", () => find.get(key, run));
    return row === undefined ? undefined : { text: String(row.value), run: String(row.run) };
  }

  /** A lease for the step, or the value that another process has stored in the meantime. */
  async function acquire(step: MemoStep<never>, signal: AbortSignal): Promise<Lease | StoredStep> {
    signal.throwIfAborted();
    let got = await take(step, undefined);
    for (let wait = FIRST_WAIT_MS; "since" in got; wait = Math.min(wait * 2, LONGEST_WAIT_MS)) {
      await sleep(wait, undefined, { signal });
      const { key, run } = step;
      // Whoever waits only reads.
      got = findValue(key, run) ?? leases.check(key, got) ?? (await take(step, got));
    }
    return got;
  }

  /** With the small writes of other questions. */
  function take(step: MemoStep<never>, seen: HolderObservation | undefined) {
    let taken: Lease | undefined;
    return queue.write("starting a step", () => {
      // It is written again if another write of its transaction failed.
      taken?.end();
      taken = undefined;
      const found = findValue(step.key, step.run);
      if (found !== undefined) return found;
      const got = leases.take(step.key, step.tags, seen);
      if ("end" in got) taken = got;
      return got;
    });
  }

  const flights = createMemoFlights<Lease>({
    find: findValue,
    acquire,
    store(step, { run, text }, lease) {
      const stored = queue.write("storing a step", () => {
        // Forgotten or taken over while in flight: only the callers of this flight get the value.
        if (!lease.end()) return;
        if (run === "") dropStep.run(step.key);
        insert.run(step.key, run, text);
        for (const tag of step.tags) insertTag.run(tag, step.key);
      });
      step.onStoring?.();
      return stored;
    },
    release(lease) {
      try {
        lease.end();
      } catch {
        // The disk is full or the store is locked. The caller gets the step's own error; a lease without heartbeat expires.
      }
    },
  });

  return {
    once: flights.once,
    peek: flights.peek,
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
      flights.close();
      leases.close();
    },
  };
}
