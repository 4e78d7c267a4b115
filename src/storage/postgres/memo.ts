import { setTimeout as sleep } from "node:timers/promises";
import type { Memo, MemoStep } from "../../core/contracts.ts";
import { createMemoFlights, type StoredStep } from "../memo-flights.ts";
import type { Database } from "./database.ts";
import { createLeases, type Lease } from "./leases.ts";
import type { Processes } from "./processes.ts";

/** Milliseconds between looks at a step that another process runs: a share of the time waited so far. */
const FIRST_WAIT_MS = 5;
const LONGEST_WAIT_MS = 500;
const WAIT_SHARE = 0.2;

/**
 * The memo in PostgreSQL. Between processes, a lease row decides; no connection and no transaction is held while a step
 * runs.
 */
export function createMemo(
  db: Database,
  processes: Processes,
): Memo & { /** Aborts the flights. */ close(): void } {
  const leases = createLeases(db, processes);

  async function find(key: string, run: string): Promise<StoredStep | undefined> {
    const rows = await db.rows(
      "reading a stored step",
      "SELECT value, run FROM steps WHERE key = $1 AND run IN ('', $2)",
      [key, run],
    );
    // A step with a damaged value is run again.
    return rows
      .map((row) => ({ text: String(row.value), run: String(row.run) }))
      .find(({ text }) => isJson(text));
  }

  async function acquire(step: MemoStep<never>, signal: AbortSignal): Promise<Lease | StoredStep> {
    const begun = performance.now();
    for (;;) {
      signal.throwIfAborted();
      const got = await leases.take(step);
      if (got !== undefined && !("text" in got) && signal.aborted) await leases.drop(got);
      signal.throwIfAborted();
      if (got !== undefined) return got;
      const wait = (performance.now() - begun) * WAIT_SHARE;
      await sleep(Math.min(Math.max(wait, FIRST_WAIT_MS), LONGEST_WAIT_MS), undefined, { signal });
    }
  }

  const flights = createMemoFlights<Lease>({
    find,
    acquire,
    async store({ key, tags }, { run, text }, { holder, turn, leave }) {
      // Forgotten or taken over while in flight: only the callers of this flight get the value.
      await db
        .run("storing a step", "SELECT store_step($1, $2, $3, $4, $5, $6)", [
          ...[key, run, holder, turn, tags, text],
        ])
        .finally(leave);
    },
    release: (lease) =>
      leases.drop(lease).catch(() => {
        // The database is gone. The caller gets the step's own error; the lease ends later.
      }),
  });

  return {
    once: flights.once,
    peek: flights.peek,
    close: flights.close,
    async forget(tag) {
      return db.transaction("forgetting steps", async (send) => {
        // The leases first: a step that is being stored has ended its lease before it writes the tag.
        await send("DELETE FROM leases WHERE tags @> ARRAY[$1]::text[]", [tag]);
        const tagged = "SELECT key FROM step_tags WHERE tag = $1";
        const { count } = await send(`DELETE FROM steps WHERE key IN (${tagged})`, [tag]);
        await send(`DELETE FROM step_tags WHERE key IN (${tagged})`, [tag]);
        return count;
      });
    },
  };
}

function isJson(text: string): boolean {
  try {
    JSON.parse(text);
    return true;
  } catch {
    return false;
  }
}
