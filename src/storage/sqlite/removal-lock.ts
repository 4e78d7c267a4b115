import { join } from "node:path";
import { DatabaseSync } from "node:sqlite";
import { setTimeout as sleep } from "node:timers/promises";
import pLimit from "p-limit";
import { isBusy, storeFailure } from "./transaction.ts";

/** Longer than a removal of some blobs with all its repeated requests. */
const MOST_MS = 300_000;
const PAUSE_MS = 5;

/**
 * Lets one process at a time claim or remove blobs whose bytes are outside the data folder: removing them takes long, and
 * the store's own lock would stop every other write. The lock is that of an empty database, which the kernel releases if
 * the process ends.
 */
export function createRemovalLock(folder: string) {
  const oneByOne = pLimit(1);
  let db: DatabaseSync | undefined;

  async function take(): Promise<DatabaseSync> {
    const path = join(folder, "blobs.lock");
    const until = performance.now() + MOST_MS;
    for (;;) {
      try {
        db ??= new DatabaseSync(path, { timeout: 0 });
        db.exec("BEGIN IMMEDIATE");
        return db;
      } catch (error) {
        if (!isBusy(error) || performance.now() > until) throw storeFailure(error, "locking blobs");
      }
      await sleep(PAUSE_MS);
    }
  }

  return {
    hold: <T>(work: () => T | Promise<T>): Promise<T> =>
      oneByOne(async () => {
        const held = await take();
        try {
          return await work();
        } finally {
          if (held.isOpen) held.exec("ROLLBACK");
        }
      }),
    close() {
      if (db?.isOpen) db.close();
    },
  };
}
