import type { Claims } from "../../core/contracts.ts";
import type { Database } from "./database.ts";
import { ALIVE } from "./memo-schema.ts";
import { hasGone, type Processes, removeProcesses } from "./processes.ts";
import { repeatLater } from "./repeat-later.ts";

const DOING = "taking a right";

/**
 * The row of the process has to live until its next heartbeats. A right that this process has, but for none of its turns,
 * is one that it could not give back. The turns are those of the moment before the statement was sent: a later one is in use.
 */
const TAKE = `INSERT INTO claims (name, holder, turn)
  SELECT $1, id, $3 FROM processes
  WHERE id = $2 AND expires_at > clock_timestamp() + $4::bigint * interval '1 millisecond'
  ON CONFLICT (name) DO UPDATE SET holder = excluded.holder, turn = excluded.turn
  WHERE (claims.holder = excluded.holder AND (claims.turn = excluded.turn OR (claims.turn < excluded.turn AND claims.turn::text <> ALL ($5::text[]))))
    OR NOT EXISTS (SELECT 1 FROM processes WHERE id = claims.holder AND ${ALIVE})`;

/** Rows that name the process with a right; they end with its row in `processes`. */
export function createClaims(db: Database, processes: Processes): Claims {
  let turns = 0;
  /** Turns that take or have a right. */
  const used = new Set<number>();

  async function attempt(name: string, turn: number): Promise<boolean> {
    const values = [name, processes.id, turn, processes.margin_ms, [...used].map(String)];
    return (await db.run(DOING, TAKE, values)).count > 0;
  }

  async function take(name: string, turn: number): Promise<boolean> {
    if (await attempt(name, turn)) return true;
    const sql = `SELECT processes.* FROM claims JOIN processes ON processes.id = claims.holder WHERE name = $1 AND ${ALIVE}`;
    const holder = await db.row(DOING, sql, [name]);
    if (holder !== undefined) {
      if (!hasGone(holder)) return false;
      await removeProcesses(db, [String(holder.id)]);
    }
    await processes.renew();
    return attempt(name, turn);
  }

  async function drop(name: string, turn: number): Promise<void> {
    await db.run(
      "giving back a right",
      "DELETE FROM claims WHERE name = $1 AND holder = $2 AND turn = $3",
      [name, processes.id, turn],
    );
  }

  /** Gives a right back. While the database is away, later: others would wait for it until this process ends. */
  async function giveBack(name: string, turn: number): Promise<void> {
    used.delete(turn);
    await drop(name, turn).catch(() => void dropLater(name, turn));
  }

  const dropLater = (name: string, turn: number) =>
    repeatLater(() => drop(name, turn), processes.closing);

  return {
    async take(name) {
      const turn = ++turns;
      used.add(turn);
      const leave = processes.stay();
      const isTaken = await take(name, turn).catch((error: unknown) => {
        leave();
        used.delete(turn);
        // The reply may have been lost.
        void dropLater(name, turn);
        throw error;
      });
      if (!isTaken) {
        leave();
        used.delete(turn);
        return null;
      }
      return async () => {
        leave();
        await giveBack(name, turn);
      };
    },
  };
}
