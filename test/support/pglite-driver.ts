import { PGlite, type PGliteInterface, type Transaction } from "@electric-sql/pglite";
import type { Driver, Send } from "../../src/storage/postgres/database.ts";

const INT8 = 20;

/** PostgreSQL within this process. It has one connection, with one schema. */
export async function createPglite(schema: string) {
  const db = await PGlite.create({ parsers: { [INT8]: Number } });
  await db.exec(`SET search_path = ${schema}`);
  const sendBy =
    (to: PGliteInterface | Transaction): Send =>
    async (sql, values) => {
      const result =
        values.length === 0 ? (await to.exec(sql)).at(-1) : await to.query(sql, [...values]);
      const rows = (result?.rows ?? []) as Record<string, unknown>[];
      return { rows, count: rows.length || (result?.affectedRows ?? 0) };
    };
  return {
    /** A driver that leaves the database open. */
    driver: {
      send: sendBy(db),
      transaction: (work) => db.transaction((inside) => work(sendBy(inside))),
      async close() {},
    } satisfies Driver,
    close: () => db.close(),
  };
}
