import { randomUUID } from "node:crypto";
import { hasEnded, isOnThisHost, thisProcess } from "../process-identity.ts";
import type { Database } from "./database.ts";
import type { Row } from "./value.ts";

/** Interval of the heartbeat of a store with leases, and the silence after which they end. */
export interface LeaseTiming {
  beat_ms: number;
  life_ms: number;
}

const TIMING: LeaseTiming = { beat_ms: 5_000, life_ms: 30_000 };

/** A row of a process that ended without removing it is removed after this time. */
const ROW_LIFE = "1 day";

/**
 * The open stores, each as a row that its process keeps from expiring. Times are those of the database's clock, so that
 * the clocks of the processes do not matter.
 */
export interface Processes {
  /** The id of this store's row. */
  id: string;
  /** The time that the row must live when a lease is taken: the next heartbeats renew it. */
  margin_ms: number;
  /** Renews the row at each heartbeat until the returned function is called as often as this one. */
  stay(): () => void;
  /** Renews the row now. */
  renew(): Promise<void>;
  /** Aborted when the store is closed. */
  closing: AbortSignal;
  /** Ends the heartbeat and removes the row. */
  close(): Promise<void>;
}

export function createProcesses(db: Database, timing: LeaseTiming = TIMING): Processes {
  const me = { id: randomUUID(), ...thisProcess() };
  let users = 0;
  let beating: NodeJS.Timeout | undefined;
  const closing = new AbortController();

  async function renew(): Promise<void> {
    await db.run(
      "writing the heartbeat of this process",
      `INSERT INTO processes (id, host, pid, started, expires_at)
       VALUES ($1, $2, $3, $4, clock_timestamp() + $5::bigint * interval '1 millisecond')
       ON CONFLICT (id) DO UPDATE SET expires_at = excluded.expires_at`,
      [me.id, me.host, me.pid, me.started, timing.life_ms],
    );
  }

  return {
    id: me.id,
    margin_ms: 2 * timing.beat_ms,
    renew,
    closing: closing.signal,
    stay() {
      users++;
      // A missed heartbeat only matters after many others; the next one may succeed.
      beating ??= setInterval(() => void renew().catch(() => {}), timing.beat_ms).unref();
      let left = false;
      return () => {
        if (left) return;
        left = true;
        if (--users > 0) return;
        clearInterval(beating);
        beating = undefined;
      };
    },
    async close() {
      closing.abort();
      clearInterval(beating);
      await removeProcesses(db, [me.id]);
    },
  };
}

/** Whether the process of a row of `processes` has certainly ended: on this host, by its pid and start time. */
export function hasGone(row: Row): boolean {
  return hasEnded(identityOf(row));
}

/** Removes the rows of processes that have ended. */
export async function sweepProcesses(db: Database): Promise<void> {
  const doing = "looking for ended processes";
  const rows = await db.rows(
    doing,
    `SELECT *, expires_at < clock_timestamp() - interval '${ROW_LIFE}' AS silent FROM processes`,
  );
  const gone = rows.filter(
    (row) => hasGone(row) || (row.silent === true && !isOnThisHost(identityOf(row))),
  );
  await removeProcesses(
    db,
    gone.map((row) => String(row.id)),
  );
}

function identityOf(row: Row) {
  return { host: String(row.host), pid: Number(row.pid), started: String(row.started) };
}

/** Ends what the processes hold. */
export async function removeProcesses(db: Database, ids: readonly string[]): Promise<void> {
  if (ids.length === 0) return;
  await db.run(
    "ending the leases of a process",
    `WITH gone AS (DELETE FROM processes WHERE id = ANY ($1::text[]) RETURNING id),
       holds AS (DELETE FROM remote_holds WHERE process IN (SELECT id FROM gone)),
       services AS (DELETE FROM replicas WHERE process IN (SELECT id FROM gone)),
       rights AS (DELETE FROM claims WHERE holder IN (SELECT id FROM gone))
     DELETE FROM leases WHERE holder IN (SELECT id FROM gone)`,
    [ids],
  );
}
