import { z } from "zod";

/** JSON of an upload row whose file is a video. */
export const UploadMedia = z.object({
  hash: z.string().regex(/^[0-9a-f]{64}$/),
  duration_s: z.number(),
  container: z.string(),
  width: z.number().nullable(),
  height: z.number().nullable(),
});

/** Tables with a JSON column, their key columns, and the shape if the store itself reads the JSON. */
export const JSON_COLUMNS = [
  { table: "uploads", keys: ["id"], column: "json", shape: UploadMedia },
  { table: "asked", keys: ["id"], column: "json", shape: z.object({}) },
  { table: "ratings", keys: ["id"], column: "answer", shape: null },
  { table: "keys", keys: ["name"], column: "json", shape: z.object({}) },
  { table: "questions", keys: ["video", "id"], column: "json", shape: z.object({}) },
  { table: "sets", keys: ["id", "video"], column: "json", shape: z.object({}) },
  { table: "events", keys: ["question", "seq"], column: "body", shape: z.object({}) },
  { table: "steps", keys: ["key", "run"], column: "value", shape: null },
] as const;

/** A table with a column of JSON. */
export type JsonColumn = (typeof JSON_COLUMNS)[number];

/** Tables that are checked whenever a service starts. */
const SERVICE_TABLES = new Set<string>(["uploads", "asked", "keys"]);

/** The tables that are checked: those of the service, its uploads, or all. */
export function checkedTables(only: "service" | "uploads" | "all"): JsonColumn[] {
  return JSON_COLUMNS.filter(
    ({ table }) =>
      only === "all" || (only === "service" ? SERVICE_TABLES.has(table) : table === only),
  );
}

/** Which rows of a table may be damaged. A database finds the others many times faster than they could be parsed here. */
export function suspectRows({ table, shape }: JsonColumn): "all" | "not objects" | "not JSON" {
  if (shape === null || !SERVICE_TABLES.has(table)) return "not JSON";
  return shape === UploadMedia ? "all" : "not objects";
}

/** What is wrong with the text of a JSON column, or null. */
export function problemOf(text: string, shape: z.ZodType | null): string | null {
  let value: unknown;
  try {
    value = JSON.parse(text);
  } catch {
    return "is not JSON";
  }
  return shape === null || shape.safeParse(value).success ? null : "has another shape";
}
