import { randomUUID } from "node:crypto";
import type { DatabaseSync } from "node:sqlite";
import { isGone, isOnThisHost, thisProcess } from "./process-identity.ts";
import { transaction } from "./sqlite.ts";

/** How often a process with steps in flight says that it lives, and after how long a silence its steps are taken over. */
export interface LeaseTiming {
  beat_ms: number;
  silence_ms: number;
}

/** Silence counts only where the holder's end cannot be seen: another host or container, or a process that hangs. */
const TIMING: LeaseTiming = { beat_ms: 5_000, silence_ms: 30_000 };

/** Rows of dead processes on hosts that nobody can ask. */
const HOLDER_ROW_LIFE_MS = 86_400_000;

/** What a waiter saw of the process that does a step; `turn` tells one flight from the next. */
export interface Sighting {
  holder: string;
  turn: number;
  beat: number;
  since: number;
}

export interface Lease {
  /** Ends the lease; false where it was forgotten or taken over meanwhile. To be called within a transaction to act on it. */
  end(): boolean;
}

export interface Leases {
  /** Whether another process does the step: what is to be shown again at the next look. */
  look(key: string, seen: Sighting | undefined): Sighting | undefined;
  /** Within a transaction. */
  take(key: string, tags: readonly string[], seen: Sighting | undefined): Lease | Sighting;
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
 * The right to do a step, one process at a time.
 * A holder that has died on this host is seen at once, by pid and start time; one elsewhere when its beat stands still,
 * by the waiter's own monotonic clock, so that neither clocks set apart nor a sleeping machine end a lease.
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
      // A clock that was set forwards must not end the leases of a process that lives.
      const silent = Number(row.seen_at) < Date.now() - HOLDER_ROW_LIFE_MS;
      if (isGone(holder) || (silent && !isOnThisHost(holder))) {
        dropLeases.run(holder.id);
        dropHolder.run(holder.id);
      }
    }
  });

  function sayAlive() {
    try {
      beat.run(me.id, me.host, me.pid, me.started, Date.now());
      // Leases whose end could not be written, when the disk was full.
      dropEnded.run(me.id, JSON.stringify([...held]));
    } catch {
      // A full disk or a locked store: the next beat may pass, and a missed one costs nothing but patience.
    }
  }

  function isFree(row: HolderRow, seen: Sighting | undefined): boolean {
    if (row.holder === me.id || row.host === null) return true;
    if (isGone({ host: row.host, pid: Number(row.pid), started: String(row.started) })) return true;
    return (
      seen !== undefined &&
      seen.holder === row.holder &&
      seen.turn === row.turn &&
      seen.beat === row.beat &&
      performance.now() - seen.since > timing.silence_ms
    );
  }

  function sight(row: HolderRow, seen: Sighting | undefined): Sighting {
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

  function look(key: string, seen: Sighting | undefined): Sighting | undefined {
    const row = find.get(key) as HolderRow | undefined;
    return row === undefined || isFree(row, seen) ? undefined : sight(row, seen);
  }

  return {
    look,
    take(key, tags, seen) {
      const busy = look(key, seen);
      if (busy !== undefined) return busy;
      const mine = ++turn;
      beat.run(me.id, me.host, me.pid, me.started, Date.now());
      put.run(key, me.id, mine, JSON.stringify(tags));
      if (held.size === 0) beating = setInterval(sayAlive, timing.beat_ms).unref();
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
