import type { DatabaseSync } from "node:sqlite";
import { diskUnwritable, Failure, oneLine, systemCode, toFailure } from "../../core/errors.ts";

/** Primary result codes, https://www.sqlite.org/rescode.html */
const SQLITE = {
  PERM: 3,
  BUSY: 5,
  LOCKED: 6,
  READONLY: 8,
  IOERR: 10,
  CORRUPT: 11,
  FULL: 13,
  CANTOPEN: 14,
  NOTADB: 26,
} as const;

/**
 * Extended codes of `IOERR` for writing: WRITE, FSYNC, DIR_FSYNC, TRUNCATE, DELETE, SHMSIZE. A database that was opened
 * before its disk became read-only fails with these.
 */
const WRITE_ERRORS: ReadonlySet<number> = new Set([3, 4, 5, 6, 10, 19]);

/** Runs `work` and converts errors of SQLite or the system into a `Failure` that names the action `doing`. */
export function guard<T>(doing: string, work: () => T): T {
  try {
    return work();
  } catch (error) {
    throw storeFailure(error, doing);
  }
}

/**
 * Runs `work` in a write transaction, or in the one that is open. IMMEDIATE, because a read that becomes a write fails
 * at once, despite the busy timeout, if another process wrote in between.
 */
export function transaction<T>(db: DatabaseSync, doing: string, work: () => T): T {
  return guard(doing, () => {
    if (db.isTransaction) return work();
    db.exec("BEGIN IMMEDIATE");
    try {
      const result = work();
      db.exec("COMMIT");
      return result;
    } catch (error) {
      // After some errors, such as a full disk, SQLite has rolled back already.
      if (db.isTransaction) db.exec("ROLLBACK");
      throw error;
    }
  });
}

export function isBusy(error: unknown): boolean {
  const code = primaryCode(error);
  return code === SQLITE.BUSY || code === SQLITE.LOCKED;
}

export function storeFailure(error: unknown, doing: string): Failure {
  if (error instanceof Failure) return error;
  const options = { cause: error };
  const reason = error instanceof Error ? oneLine(error.message) : oneLine(String(error));
  if (isWriteError(error)) return diskUnwritable(doing, `SQLite: ${reason}`, error);
  switch (primaryCode(error)) {
    case SQLITE.FULL:
      return new Failure(
        "disk-full",
        `The disk is full: ${doing} failed. Free some space and run the same command again.`,
        { doing },
        options,
      );
    case SQLITE.BUSY:
    case SQLITE.LOCKED:
      return new Failure(
        "store-busy",
        `The store is locked by another process: ${doing} failed. Try again when that process has ended.`,
        { doing },
        options,
      );
    case SQLITE.CORRUPT:
    case SQLITE.NOTADB:
      return new Failure(
        "store-damaged",
        `The database of the store is damaged (${reason}): ${doing} failed. Run \`video-rrd repair\`, or move the folder away to start a new store.`,
        { doing },
        options,
      );
    case SQLITE.PERM:
    case SQLITE.CANTOPEN:
    case SQLITE.IOERR:
      return new Failure(
        "file-unreadable",
        `Cannot read or write the store (${reason}): ${doing} failed.`,
        { doing },
        options,
      );
  }
  return toFailure(error, "store-damaged", doing);
}

function primaryCode(error: unknown): number | undefined {
  const code = extendedCode(error);
  return code === undefined ? undefined : code & 0xff;
}

function extendedCode(error: unknown): number | undefined {
  if (systemCode(error) !== "ERR_SQLITE_ERROR") return undefined;
  const { errcode } = error as { errcode?: unknown };
  return typeof errcode === "number" ? errcode : undefined;
}

function isWriteError(error: unknown): boolean {
  const code = extendedCode(error) ?? 0;
  return (code & 0xff) === SQLITE.READONLY || (isIo(code) && WRITE_ERRORS.has(code >> 8));
}

function isIo(code: number): boolean {
  return (code & 0xff) === SQLITE.IOERR;
}
