import type { Database } from "./database.ts";
import { ALIVE, hasGone, type Processes } from "./processes.ts";

export interface Lease {
  key: string;
  holder: string;
  turn: number;
  /** The heartbeat is no longer needed for this lease. */
  leave(): void;
}

export interface Leases {
  /** A lease of the step; undefined while a running process holds it. */
  take(key: string, tags: readonly string[]): Promise<Lease | undefined>;
  drop(lease: Lease): Promise<void>;
}

const DOING = "starting a step";

/**
 * Leases give one process at a time the right to run a step. The end of a holder on this host is detected at once, by pid
 * and start time; on another host, when its row in `processes` expires by the clock of the database.
 */
export function createLeases(db: Database, processes: Processes): Leases {
  let turns = 0;

  async function put(
    key: string,
    tags: readonly string[],
    turn: number,
    gone: string | null,
  ): Promise<boolean> {
    const { count } = await db.run(
      DOING,
      `INSERT INTO leases (key, holder, turn, tags)
       SELECT $1, id, $3::bigint, $4::text[] FROM processes WHERE id = $2 AND ${ALIVE}
       ON CONFLICT (key) DO UPDATE SET holder = excluded.holder, turn = excluded.turn, tags = excluded.tags
       WHERE leases.holder IN ($2, $5) OR NOT EXISTS (SELECT 1 FROM processes WHERE id = leases.holder AND ${ALIVE})`,
      [key, processes.id, turn, tags, gone],
    );
    return count > 0;
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

  async function take(key: string, tags: readonly string[], turn: number): Promise<boolean> {
    if (await put(key, tags, turn, null)) return true;
    const holder = await holderOf(key);
    if (holder !== null && !holder.gone) return false;
    // The lease was free, so this process has no row, or an expired one; or its holder has ended.
    if (holder === null) await processes.renew();
    return put(key, tags, turn, holder?.id ?? null);
  }

  return {
    async take(key, tags) {
      const turn = ++turns;
      const leave = await processes.stay();
      const taken = await take(key, tags, turn).catch((error: unknown) => {
        leave();
        throw error;
      });
      if (taken) return { key, holder: processes.id, turn, leave };
      leave();
      return undefined;
    },
    async drop({ key, holder, turn, leave }) {
      leave();
      await db.run(
        "ending a step",
        "DELETE FROM leases WHERE key = $1 AND holder = $2 AND turn = $3",
        [key, holder, turn],
      );
    },
  };
}
