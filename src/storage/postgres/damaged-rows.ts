import type { DamagedRow } from "../../core/contracts.ts";
import {
  checkedTables,
  JSON_COLUMNS,
  type JsonColumn,
  problemOf,
  suspectRows,
} from "../rows/json-columns.ts";
import type { Database } from "./database.ts";

/** Finds rows whose JSON cannot be read, and removes them. */
export function createDamagedRows(db: Database) {
  async function find(one: JsonColumn): Promise<DamagedRow[]> {
    const { table, keys, column, shape } = one;
    const isObject = `CASE WHEN is_json(${column}) THEN json_typeof(${column}::json) = 'object' ELSE false END`;
    const where = {
      all: `${column} IS NOT NULL`,
      "not objects": `${column} IS NOT NULL AND NOT ${isObject}`,
      "not JSON": `NOT is_json(${column})`,
    }[suspectRows(one)];
    const sql = `SELECT ${keys.join(", ")}, ${column} AS text FROM ${table} WHERE ${where} ORDER BY ${keys.join(", ")}`;
    return (await db.rows(`checking the table ${table}`, sql)).flatMap((row) => {
      const problem = problemOf(String(row.text), shape);
      if (problem === null) return [];
      const key = Object.fromEntries(keys.map((name) => [name, String(row[name])]));
      return [{ table, key, problem, text: String(row.text) }];
    });
  }

  return {
    async damaged(only: "service" | "uploads" | "all"): Promise<DamagedRow[]> {
      return (await Promise.all(checkedTables(only).map(find))).flat();
    },
    async removeDamaged(rows: readonly DamagedRow[]): Promise<void> {
      await db.transaction("removing damaged rows", async (send) => {
        for (const { table, key } of rows) {
          const known = JSON_COLUMNS.find((one) => one.table === table);
          if (known === undefined) continue;
          const where = known.keys.map((name, index) => `${name}::text = $${index + 1}`);
          const values = known.keys.map((name) => key[name] ?? "");
          await send(`DELETE FROM ${known.table} WHERE ${where.join(" AND ")}`, values);
        }
      });
    },
  };
}
