import type { Sessions } from "../../core/replicas.ts";
import type { Database } from "./database.ts";

export function createSessions(db: Database): Sessions {
  return {
    async open(id, token, life_ms) {
      await db.run(
        "opening a session",
        `WITH ended AS (DELETE FROM sessions WHERE expires_at < clock_timestamp())
         INSERT INTO sessions (id, token, expires_at)
         VALUES ($1, $2, clock_timestamp() + $3::bigint * interval '1 millisecond') ON CONFLICT DO NOTHING`,
        [id, token, life_ms],
      );
    },
    async tokenOf(id) {
      const sql = "SELECT token FROM sessions WHERE id = $1 AND expires_at > clock_timestamp()";
      const row = await db.row("looking up a session", sql, [id]);
      return row === undefined ? undefined : String(row.token);
    },
    async close(id) {
      await db.run("closing a session", "DELETE FROM sessions WHERE id = $1", [id]);
    },
  };
}
