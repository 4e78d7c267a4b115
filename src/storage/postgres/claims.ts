import type { Claims } from "../../core/contracts.ts";
import type { Database } from "./database.ts";
import { ALIVE } from "./memo-schema.ts";
import { hasGone, type Processes, removeProcesses } from "./processes.ts";

const DOING = "taking a right";

/** The row of the process has to live until its next heartbeats. */
const TAKE = `INSERT INTO claims (name, holder, turn)
  SELECT $1, id, $3 FROM processes
  WHERE id = $2 AND expires_at > clock_timestamp() + $4::bigint * interval '1 millisecond'
  ON CONFLICT (name) DO UPDATE SET holder = excluded.holder, turn = excluded.turn
  WHERE (claims.holder = excluded.holder AND claims.turn = excluded.turn)
    OR NOT EXISTS (SELECT 1 FROM processes WHERE id = claims.holder AND ${ALIVE})`;

/** Rows that name the process with a right; they end with its row in `processes`. */
export function createClaims(db: Database, processes: Processes): Claims {
  let turns = 0;

  async function attempt(name: string, turn: number): Promise<boolean> {
    const values = [name, processes.id, turn, processes.margin_ms];
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

  return {
    async take(name) {
      const turn = ++turns;
      const leave = processes.stay();
      const isTaken = await take(name, turn).catch((error: unknown) => {
        leave();
        throw error;
      });
      if (!isTaken) {
        leave();
        return null;
      }
      return async () => {
        leave();
        await db.run(
          "giving back a right",
          "DELETE FROM claims WHERE name = $1 AND holder = $2 AND turn = $3",
          [name, processes.id, turn],
        );
      };
    },
  };
}
