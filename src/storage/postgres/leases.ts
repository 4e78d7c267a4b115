import type { MemoStep } from "../../core/contracts.ts";
import type { StoredStep } from "../memo-flights.ts";
import type { Database } from "./database.ts";
import { ALIVE } from "./memo-schema.ts";
import { hasGone, type Processes } from "./processes.ts";
import { repeatLater } from "./repeat-later.ts";

export interface Lease {
  key: string;
  holder: string;
  turn: number;
  /** The heartbeat is no longer needed for this lease. */
  leave(): void;
}

export interface Leases {
  /** A lease of the step, or its stored value; undefined while a running process holds the lease. */
  take(step: MemoStep<never>): Promise<Lease | StoredStep | undefined>;
  drop(lease: Lease): Promise<void>;
}

const DOING = "starting a step";

/**
 * Leases give one process at a time the right to run a step. The end of a holder on this host is detected at once, by pid
 * and start time; on another host, when its row in `processes` expires by the clock of the database.
 */
export function createLeases(db: Database, processes: Processes): Leases {
  let turns = 0;

  /** True if the lease is taken, or the stored value. */
  async function start(step: MemoStep<never>, turn: number, gone: string | null) {
    const row = await db.row(DOING, "SELECT * FROM start_step($1, $2, $3, $4, $5, $6, $7)", [
      ...[step.key, step.run, processes.id, turn, step.tags, gone, processes.margin_ms],
    ]);
    if (row?.stored == null) return row?.taken === true;
    return { text: String(row.stored), run: String(row.stored_run) };
  }

  /** The holder of the lease; null if there is none any more, or it has expired. */
  async function holderOf(key: string): Promise<{ id: string; gone: boolean } | null> {
    const row = await db.row(
      DOING,
      `SELECT processes.* FROM leases JOIN processes ON processes.id = leases.holder WHERE key = $1 AND ${ALIVE}`,
      [key],
    );
    return row === undefined ? null : { id: String(row.id), gone: hasGone(row) };
  }

  async function take(step: MemoStep<never>, turn: number): Promise<StoredStep | boolean> {
    const started = await start(step, turn, null);
    if (started !== false) return started;
    const holder = await holderOf(step.key);
    if (holder !== null && !holder.gone) return false;
    // The lease was free, so this process has no row, or one that expires soon; or its holder has ended.
    await processes.renew();
    return start(step, turn, holder?.id ?? null);
  }

  async function end(key: string, turn: number): Promise<void> {
    const sql = "DELETE FROM leases WHERE key = $1 AND holder = $2 AND turn = $3";
    await db.run("ending a step", sql, [key, processes.id, turn]);
  }

  const endLater = (key: string, turn: number) =>
    repeatLater(() => end(key, turn), processes.closing);

  return {
    async take(step) {
      const turn = ++turns;
      const leave = processes.stay();
      const taken = await take(step, turn).catch((error: unknown) => {
        leave();
        // The reply may have been lost.
        void endLater(step.key, turn);
        throw error;
      });
      if (taken === true) return { key: step.key, holder: processes.id, turn, leave };
      leave();
      return taken === false ? undefined : taken;
    },
    async drop({ key, turn, leave }) {
      leave();
      await end(key, turn).catch((error: unknown) => {
        void endLater(key, turn);
        throw error;
      });
    },
  };
}
