import { hashOf } from "../../core/hash.ts";
import type { RateTable } from "../../core/rate-table.ts";
import type { Database, Send } from "./database.ts";

const DOING = "limiting the rate of model calls";
const READ = `SELECT state, extract(epoch FROM clock_timestamp()) * 1000 AS now_ms`;

/** States as rows. A change locks its row for two statements, never for longer. */
export function createRateTable(db: Database): RateTable {
  const keyOf = (endpoint: string) => hashOf(endpoint);

  async function lock(send: Send, key: string) {
    const sql = `${READ} FROM rates WHERE endpoint = $1 FOR UPDATE`;
    const [row] = (await send(sql, [key])).rows;
    if (row !== undefined) return row;
    await send("INSERT INTO rates (endpoint, state) VALUES ($1, '') ON CONFLICT DO NOTHING", [key]);
    return (await send(sql, [key])).rows[0] ?? {};
  }

  return {
    update: (endpoint, change) =>
      db.transaction(DOING, async (send) => {
        const key = keyOf(endpoint);
        const row = await lock(send, key);
        const now_ms = Number(row.now_ms);
        const state = change(stateOf(row.state), now_ms);
        const text = JSON.stringify(state);
        await send("UPDATE rates SET state = $2 WHERE endpoint = $1", [key, text]);
        return { state, now_ms };
      }),
    async read(endpoint) {
      const sql = `${READ} FROM (SELECT 1) AS one LEFT JOIN rates ON endpoint = $1`;
      const row = await db.row(DOING, sql, [keyOf(endpoint)]);
      return { state: stateOf(row?.state), now_ms: Number(row?.now_ms) };
    },
  };
}

/** Undefined for a new or damaged row: the rate then begins as that of a new endpoint. */
function stateOf(text: unknown): unknown {
  try {
    return typeof text === "string" ? JSON.parse(text) : undefined;
  } catch {
    return undefined;
  }
}
