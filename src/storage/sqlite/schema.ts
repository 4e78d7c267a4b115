import type { DatabaseSync } from "node:sqlite";
import { setTimeout as sleep } from "node:timers/promises";
import { Failure } from "../../core/errors.ts";
import { addFunctions } from "./functions.ts";
import { MIGRATIONS } from "./migrations.ts";
import { isBusy, storeFailure, transaction } from "./transaction.ts";

/** Version of the layout of the database and the folder; stored as SQLite's `user_version`. */
export const FORMAT = MIGRATIONS.length;

/** "vrrd": identifies databases of this program. */
export const APPLICATION_ID = 0x76727264;

/** Milliseconds that a write waits for another process's write; each takes well under one. */
export const BUSY_TIMEOUT_MS = 10_000;

/**
 * Creates the tables in an empty database, or checks an existing one and upgrades an older layout.
 * Throws `Failure` `store-format` for a newer layout or another program's file.
 */
export async function prepareDatabase(db: DatabaseSync, file: string): Promise<void> {
  addFunctions(db);
  // Check before any change, so that a foreign file stays unchanged.
  checkFormat(db, file);
  await useWal(db);
  // NORMAL: writes survive the death of the process, and the database stays intact after a power failure. Only a power
  // failure may lose the last steps, which costs one call each; the alternative is an fsync for every step.
  db.exec("PRAGMA synchronous = NORMAL");
  // Overwrite deleted rows.
  db.exec("PRAGMA secure_delete = ON");
  transaction(db, "laying out the store", () => {
    const format = checkFormat(db, file);
    if (format === FORMAT) return;
    for (const migration of MIGRATIONS.slice(format)) db.exec(migration);
    db.exec(`PRAGMA application_id = ${APPLICATION_ID}`);
    db.exec(`PRAGMA user_version = ${FORMAT}`);
  });
}

/** The format of the database, 0 when it is empty. */
export function checkFormat(db: DatabaseSync, file: string): number {
  const format = pragma(db, "user_version");
  const { tables } = db.prepare("SELECT count(*) AS tables FROM sqlite_schema").get() as {
    tables: number;
  };
  if (format === 0 && tables === 0) return 0;
  if (pragma(db, "application_id") !== APPLICATION_ID)
    throw new Failure(
      "store-format",
      `${file} is not a store of video-rrd but another program's database. Choose another folder.`,
      { file },
    );
  if (format > FORMAT)
    throw new Failure(
      "store-format",
      `${file} has format ${format}; this version of video-rrd reads formats up to ${FORMAT}. Open it with the version that wrote it, or choose another folder.`,
      { file, format, expected: FORMAT },
    );
  return format;
}

function pragma(db: DatabaseSync, name: "user_version" | "application_id"): number {
  const row = db.prepare(`PRAGMA ${name}`).get() as Record<string, number>;
  return row[name] as number;
}

/** SQLite ignores the busy timeout when two processes switch a database to WAL at the same time. */
async function useWal(db: DatabaseSync): Promise<void> {
  const until = performance.now() + BUSY_TIMEOUT_MS;
  for (;;) {
    try {
      db.exec("PRAGMA journal_mode = WAL");
      return;
    } catch (error) {
      if (!isBusy(error) || performance.now() > until)
        throw storeFailure(error, "opening the store");
      await sleep(10);
    }
  }
}
