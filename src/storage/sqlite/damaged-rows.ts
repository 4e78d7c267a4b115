import type { DatabaseSync, SQLInputValue } from "node:sqlite";
import type { DamagedRow } from "../../core/contracts.ts";
import {
  checkedTables,
  JSON_COLUMNS,
  type JsonColumn,
  problemOf,
  suspectRows,
} from "../rows/json-columns.ts";
import { guard, transaction } from "./transaction.ts";

/** Finds rows whose JSON cannot be read, and removes them. */
export function createDamagedRows(db: DatabaseSync) {
  function find(one: JsonColumn): DamagedRow[] {
    const { table, keys, column, shape } = one;
    const isObject = `CASE WHEN json_valid(${column}) THEN json_type(${column}) = 'object' ELSE false END`;
    const where = {
      all: `${column} IS NOT NULL`,
      "not objects": `${column} IS NOT NULL AND NOT ${isObject}`,
      "not JSON": `NOT json_valid(${column})`,
    }[suspectRows(one)];
    const sql = `SELECT ${keys.join(", ")}, ${column} AS text FROM ${table} WHERE ${where}`;
    return guard(`checking the table ${table}`, () => db.prepare(sql).all()).flatMap((row) => {
      const problem = problemOf(String(row.text), shape);
      if (problem === null) return [];
      const key = Object.fromEntries(keys.map((name) => [name, String(row[name])]));
      return [{ table, key, problem, text: String(row.text) }];
    });
  }

  return {
    async damaged(only: "service" | "uploads" | "all"): Promise<DamagedRow[]> {
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
