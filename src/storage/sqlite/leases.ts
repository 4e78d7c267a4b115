import { randomUUID } from "node:crypto";
import type { DatabaseSync } from "node:sqlite";
import { hasEnded, isOnThisHost, thisProcess } from "../process-identity.ts";
import { transaction } from "./transaction.ts";

/** Interval of the heartbeat of a process with steps in flight, and the silence after which its steps are taken over. */
export interface LeaseTiming {
  beat_ms: number;
  silence_ms: number;
}

/** Silence matters only if the holder's end is not observable: on another host or container, or if the process hangs. */
const TIMING: LeaseTiming = { beat_ms: 5_000, silence_ms: 30_000 };

/** Age at which rows of processes on other hosts are removed. */
const HOLDER_ROW_LIFE_MS = 86_400_000;

/** The state of the process that runs a step, as a waiter observed it; `turn` distinguishes flights. */
export interface HolderObservation {
  holder: string;
  turn: number;
  beat: number;
  since: number;
}

export interface Lease {
  /** Ends the lease; false if it was forgotten or taken over. Call it in the transaction that depends on the result. */
  end(): boolean;
}

export interface Leases {
  /** Returns an observation if another process runs the step; pass it to the next call. */
  check(key: string, seen: HolderObservation | undefined): HolderObservation | undefined;
  /** Call it within a transaction. */
  take(
    key: string,
    tags: readonly string[],
    seen: HolderObservation | undefined,
  ): Lease | HolderObservation;
  close(): void;
}

type HolderRow = {
  holder: string;
  turn: number;
  host: string | null;
  pid: number | null;
  started: string | null;
  beat: number | null;
};

/**
 * Leases give one process at a time the right to run a step.
 * The end of a holder on this host is detected at once, by pid and start time; on another host, when its heartbeat stops
 * by the waiter's monotonic clock, so that neither clock differences nor a suspended machine end a lease.
 */
export function createLeases(db: DatabaseSync, timing: LeaseTiming = TIMING): Leases {
  const me = { id: randomUUID(), ...thisProcess() };
  let turn = 0;
  const held = new Set<number>();
  let beating: NodeJS.Timeout | undefined;

  const find = db.prepare(
    `SELECT leases.holder, leases.turn, host, pid, started, beat
     FROM leases LEFT JOIN holders ON holders.id = leases.holder WHERE key = ?`,
  );
  const put = db.prepare(
    "INSERT OR REPLACE INTO leases (key, holder, turn, tags) VALUES (?, ?, ?, ?)",
  );
  const dropEnded = db.prepare(
    "DELETE FROM leases WHERE holder = ? AND turn NOT IN (SELECT value FROM json_each(?))",
  );
  const drop = db.prepare("DELETE FROM leases WHERE key = ? AND holder = ? AND turn = ?");
  const beat = db.prepare(
    `INSERT INTO holders (id, host, pid, started, beat, seen_at) VALUES (?, ?, ?, ?, 0, ?)
     ON CONFLICT (id) DO UPDATE SET beat = beat + 1, seen_at = excluded.seen_at`,
  );
  const dropHolder = db.prepare("DELETE FROM holders WHERE id = ?");
  const dropLeases = db.prepare("DELETE FROM leases WHERE holder = ?");

  transaction(db, "looking for the leases of ended processes", () => {
    for (const row of db.prepare("SELECT * FROM holders").all()) {
      const holder = row as { id: string; host: string; pid: number; started: string };
      // A clock that was set forward must not end the leases of a running process.
      const silent = Number(row.seen_at) < Date.now() - HOLDER_ROW_LIFE_MS;
      if (hasEnded(holder) || (silent && !isOnThisHost(holder))) {
        dropLeases.run(holder.id);
        dropHolder.run(holder.id);
      }
    }
  });

  function writeHeartbeat() {
    try {
      beat.run(me.id, me.host, me.pid, me.started, Date.now());
      // Leases whose end could not be written, when the disk was full.
      dropEnded.run(me.id, JSON.stringify([...held]));
    } catch {
      // The disk is full or the store is locked. The next heartbeat may succeed; a missed one only delays others.
    }
  }

  function isFree(row: HolderRow, seen: HolderObservation | undefined): boolean {
    if (row.holder === me.id || row.host === null) return true;
    if (hasEnded({ host: row.host, pid: Number(row.pid), started: String(row.started) }))
      return true;
    return (
      seen !== undefined &&
      seen.holder === row.holder &&
      seen.turn === row.turn &&
      seen.beat === row.beat &&
      performance.now() - seen.since > timing.silence_ms
    );
  }

  function observe(row: HolderRow, seen: HolderObservation | undefined): HolderObservation {
    const same =
      seen?.holder === row.holder && seen.turn === row.turn && seen.beat === (row.beat ?? 0);
    return same
      ? seen
      : {
          holder: row.holder,
          turn: row.turn,
          beat: row.beat ?? 0,
          since: performance.now(),
        };
  }

  function look(key: string, seen: HolderObservation | undefined): HolderObservation | undefined {
    const row = find.get(key) as HolderRow | undefined;
    return row === undefined || isFree(row, seen) ? undefined : observe(row, seen);
  }

  return {
    check: look,
    take(key, tags, seen) {
      const busy = look(key, seen);
      if (busy !== undefined) return busy;
      const mine = ++turn;
      beat.run(me.id, me.host, me.pid, me.started, Date.now());
      put.run(key, me.id, mine, JSON.stringify(tags));
      if (held.size === 0) beating = setInterval(writeHeartbeat, timing.beat_ms).unref();
      held.add(mine);
      return {
        end() {
          if (held.delete(mine) && held.size === 0) clearInterval(beating);
          return drop.run(key, me.id, mine).changes === 1;
        },
      };
    },
    close() {
      clearInterval(beating);
      transaction(db, "ending the leases of this process", () => {
        dropLeases.run(me.id);
        dropHolder.run(me.id);
      });
    },
  };
}
