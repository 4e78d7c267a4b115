import type { DatabaseSync, SQLInputValue } from "node:sqlite";
import { z } from "zod";
import type { DamagedRow } from "../../core/contracts.ts";
import { guard, transaction } from "./transaction.ts";

/** JSON of an upload row whose file is a video. */
export const UploadMedia = z.object({
  hash: z.string().regex(/^[0-9a-f]{64}$/),
  duration_s: z.number(),
  container: z.string(),
  width: z.number().nullable(),
  height: z.number().nullable(),
});

/** Tables with a JSON column, their key columns, and the shape if the store itself reads the JSON. */
const TABLES = [
  { table: "uploads", keys: ["id"], column: "json", shape: UploadMedia },
  { table: "asked", keys: ["id"], column: "json", shape: z.object({}) },
  { table: "ratings", keys: ["id"], column: "answer", shape: null },
  { table: "keys", keys: ["name"], column: "json", shape: z.object({}) },
  { table: "questions", keys: ["video", "id"], column: "json", shape: z.object({}) },
  { table: "sets", keys: ["id", "video"], column: "json", shape: z.object({}) },
  { table: "events", keys: ["question", "seq"], column: "body", shape: z.object({}) },
  { table: "steps", keys: ["key", "run"], column: "value", shape: null },
] as const;

/** Tables that are checked whenever a service starts. */
const SERVICE_TABLES = new Set(["uploads", "asked", "keys"]);

type Table = (typeof TABLES)[number];

/** Finds rows whose JSON cannot be read, and removes them. */
export function createDamagedRows(db: DatabaseSync) {
  function find({ table, keys, column, shape }: Table): DamagedRow[] {
    // SQLite finds text that is not JSON or not an object, many times faster than it could be parsed here.
    const isObject = `CASE WHEN json_valid(${column}) THEN json_type(${column}) = 'object' ELSE false END`;
    const where =
      shape === null || !SERVICE_TABLES.has(table)
        ? `NOT json_valid(${column})`
        : shape === UploadMedia
          ? `${column} IS NOT NULL`
          : `${column} IS NOT NULL AND NOT ${isObject}`;
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
      const isWanted = (table: string) =>
        only === "all" || (only === "service" ? SERVICE_TABLES.has(table) : table === only);
      return TABLES.filter(({ table }) => isWanted(table)).flatMap(find);
    },
    async removeDamaged(rows: readonly DamagedRow[]): Promise<void> {
      transaction(db, "removing damaged rows", () => {
        for (const { table, key } of rows) {
          const known = TABLES.find((one) => one.table === table);
          if (known === undefined) continue;
          const where = known.keys.map((name) => `${name} = ?`).join(" AND ");
          const values = known.keys.map((name): SQLInputValue => key[name] ?? "");
          db.prepare(`DELETE FROM ${known.table} WHERE ${where}`).run(...values);
        }
      });
    },
  };
}

function problemOf(text: string, shape: z.ZodType | null): string | null {
  let value: unknown;
  try {
    value = JSON.parse(text);
  } catch {
    return "is not JSON";
  }
  return shape === null || shape.safeParse(value).success ? null : "has another shape";
}
