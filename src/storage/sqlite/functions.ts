import type { DatabaseSync } from "node:sqlite";

/** Text in the form in which lists compare it: without case, and with one form for each character. */
export function foldText(text: string): string {
  return text.normalize("NFKC").toLowerCase();
}

/** Adds `fold_text(text)` to the SQL of a connection: SQLite's own `lower` and `LIKE` know ASCII only. */
export function addFunctions(db: DatabaseSync): void {
  db.function("fold_text", { deterministic: true }, (text) =>
    typeof text === "string" ? foldText(text) : null,
  );
}
