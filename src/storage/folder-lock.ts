import { join } from "node:path";
import { DatabaseSync } from "node:sqlite";
import { Failure } from "../core/errors.ts";
import { isBusy, storeFailure } from "./sqlite/transaction.ts";

/**
 * Locks a folder for one process, with SQLite's lock on an otherwise empty database `lock`.
 * The kernel releases it when the process ends in any way, so no lock becomes stale; `user_version` holds the pid.
 * Do not open the file `lock` in the holding process by other means: that releases it too (POSIX locks).
 */
export function lockFolder(folder: string): { release(): Promise<void> } {
  let db: DatabaseSync | undefined;
  try {
    db = new DatabaseSync(join(folder, "lock"), { timeout: 0 });
    db.exec("BEGIN IMMEDIATE");
    db.exec(`PRAGMA user_version = ${process.pid}`);
    db.exec("COMMIT");
    db.exec("BEGIN IMMEDIATE");
  } catch (error) {
    const busy = db !== undefined && isBusy(error) ? busyFailure(folder, db) : undefined;
    db?.close();
    throw busy ?? storeFailure(error, `locking ${folder}`);
  }
  const held = db;
  return {
    async release() {
      if (held.isOpen) held.close();
    },
  };
}

function busyFailure(folder: string, db: DatabaseSync): Failure {
  let pid: number | null;
  try {
    pid = Number(db.prepare("PRAGMA user_version").get()?.user_version);
  } catch {
    // The holder is writing its pid at this moment.
    pid = null;
  }
  return new Failure(
    "store-busy",
    `The folder ${folder} is in use by process ${pid ?? "(unknown)"}. Wait for it to end, or end it.`,
    { folder, pid },
  );
}
