import { rm } from "node:fs/promises";
import { join } from "node:path";
import { backup, DatabaseSync } from "node:sqlite";
import { Failure } from "../../core/errors.ts";
import { BUSY_TIMEOUT_MS, checkFormat } from "../sqlite/schema.ts";
import { guard, storeFailure } from "../sqlite/transaction.ts";

/** Pages that are copied in one step. */
const PAGES_AT_ONCE = 2000;

/** Copies the database of a data folder as it is at one moment, while other processes write it. */
export async function copyDatabase(
  folder: string,
  to: string,
  onPages: (done: number, total: number) => void,
): Promise<void> {
  const file = join(folder, "store.db");
  const db = guard(`opening ${file}`, () => new DatabaseSync(file, { timeout: BUSY_TIMEOUT_MS }));
  try {
    checkFormat(db, file);
    await rm(to, { force: true });
    // The open transaction fixes the moment: without it, a write by another process starts the copy again.
    db.exec("BEGIN");
    db.prepare("SELECT count(*) FROM sqlite_schema").get();
    await backup(db, to, {
      rate: PAGES_AT_ONCE,
      progress: ({ totalPages, remainingPages }) =>
        onPages(totalPages - remainingPages, totalPages),
    });
    db.exec("COMMIT");
  } catch (error) {
    throw storeFailure(error, `copying ${file}`);
  } finally {
    db.close();
  }
  const copy = new DatabaseSync(to);
  try {
    // A single file without a write-ahead log.
    copy.exec("PRAGMA journal_mode = DELETE");
    checkIntegrity(copy, file);
  } catch (error) {
    throw storeFailure(error, `checking the copy of ${file}`);
  } finally {
    copy.close();
  }
}

/** Throws `Failure` `store-damaged` if pages of a database are inconsistent. */
export function checkIntegrity(db: DatabaseSync, file: string): void {
  const found = db.prepare("PRAGMA quick_check(1)").get();
  const result = String(Object.values(found ?? {})[0]);
  if (result !== "ok")
    throw new Failure("store-damaged", `The database ${file} is damaged: ${result}.`, { file });
}

/** Files that the rows of a database name. */
export interface NamedFiles {
  blobs: { hash: string; type: string }[];
  /** Complete uploads: the hash of the bytes, and the uploads that have them. */
  videos: { hash: string; ids: string[] }[];
  /** Ids of all uploads, and of those that are complete. */
  uploads: string[];
  complete: ReadonlySet<string>;
}

/** Reads which files belong to a copy of a database, which may have an older format. */
export function listNamedFiles(file: string): NamedFiles {
  const db = new DatabaseSync(file, { readOnly: true });
  try {
    return guard(`reading ${file}`, () => {
      const all = (table: string, sql: string) =>
        db.prepare("SELECT 1 FROM sqlite_schema WHERE name = ?").get(table) === undefined
          ? []
          : db.prepare(sql).all();
      const uploads = all("uploads", "SELECT id, hash FROM uploads ORDER BY id").map((row) => ({
        id: String(row.id),
        hash: row.hash === null ? null : String(row.hash),
      }));
      const complete = uploads.flatMap(({ id, hash }) => (hash === null ? [] : [{ id, hash }]));
      return {
        blobs: all("blobs", "SELECT hash, min(type) AS type FROM blobs GROUP BY hash").map(
          (row) => ({ hash: String(row.hash), type: String(row.type) }),
        ),
        videos: [...Map.groupBy(complete, ({ hash }) => hash)].map(([hash, of]) => ({
          hash,
          ids: of.map(({ id }) => id),
        })),
        uploads: uploads.map(({ id }) => id),
        complete: new Set(complete.map(({ id }) => id)),
      };
    });
  } finally {
    db.close();
  }
}
