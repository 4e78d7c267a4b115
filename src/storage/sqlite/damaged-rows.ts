import type { DatabaseSync, SQLInputValue } from "node:sqlite";
import type { DamagedRow } from "../../core/contracts.ts";
import {
  checkedTables,
  JSON_COLUMNS,
  type JsonColumn,
  problemOf,
  readsEveryRow,
} from "../rows/json-columns.ts";
import { guard, transaction } from "./transaction.ts";

/** Finds rows whose JSON cannot be read, and removes them. */
export function createDamagedRows(db: DatabaseSync) {
  function find(one: JsonColumn): DamagedRow[] {
    const { table, keys, column, shape } = one;
    // SQLite finds text that is not JSON; only a table with a known shape is read here.
    const where = readsEveryRow(one) ? `${column} IS NOT NULL` : `NOT json_valid(${column})`;
    const sql = `SELECT ${keys.join(", ")}, ${column} AS text FROM ${table} WHERE ${where}`;
    return guard(`checking the table ${table}`, () => db.prepare(sql).all()).flatMap((row) => {
      const problem = problemOf(String(row.text), shape);
      if (problem === null) return [];
      const key = Object.fromEntries(keys.map((name) => [name, String(row[name])]));
      return [{ table, key, problem, text: String(row.text) }];
    });
  }

  return {
    async damaged(only: "service" | "all"): Promise<DamagedRow[]> {
      return checkedTables(only).flatMap(find);
    },
    async removeDamaged(rows: readonly DamagedRow[]): Promise<void> {
      transaction(db, "removing damaged rows", () => {
        for (const { table, key } of rows) {
          const known = JSON_COLUMNS.find((one) => one.table === table);
          if (known === undefined) continue;
          const where = known.keys.map((name) => `${name} = ?`).join(" AND ");
          const values = known.keys.map((name): SQLInputValue => key[name] ?? "");
          db.prepare(`DELETE FROM ${known.table} WHERE ${where}`).run(...values);
        }
      });
    },
  };
}
