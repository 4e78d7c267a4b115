import type { DatabaseSync } from "node:sqlite";
import { foldText } from "../rows/fold-text.ts";

/** Adds `fold_text(text)` to the SQL of a connection: SQLite's own `lower` and `LIKE` know ASCII only. */
export function addFunctions(db: DatabaseSync): void {
  db.function("fold_text", { deterministic: true }, (text) =>
    typeof text === "string" ? foldText(text) : null,
  );
}
