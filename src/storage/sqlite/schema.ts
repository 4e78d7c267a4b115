import type { DatabaseSync } from "node:sqlite";
import { setTimeout as sleep } from "node:timers/promises";
import { Failure } from "../../core/errors.ts";
import { isBusy, storeFailure, transaction } from "./transaction.ts";

/** Version of the layout of the database and the folder; stored as SQLite's `user_version`. */
export const FORMAT = 3;

/** "vrrd": identifies databases of this program. */
const APPLICATION_ID = 0x76727264;

/** Milliseconds that a write waits for another process's write; each takes well under one. */
export const BUSY_TIMEOUT_MS = 10_000;

/*
 * steps      stored results; `run` is '' for results that every run may use
 * leases     steps in flight, with the process that runs them
 * holders    processes with steps in flight; `beat` increases while they run
 * blobs      which video owns which file of `blobs/`; a row is written before its file
 * The same question or set id may belong to several videos (the empty set, a benchmark's sample "1").
 */
const TABLES = `
CREATE TABLE steps (
  key TEXT NOT NULL, run TEXT NOT NULL, value TEXT NOT NULL,
  PRIMARY KEY (key, run)
) STRICT;
CREATE TABLE step_tags (
  tag TEXT NOT NULL, key TEXT NOT NULL,
  PRIMARY KEY (tag, key)
) STRICT, WITHOUT ROWID;
CREATE INDEX step_tags_by_key ON step_tags (key);
CREATE TABLE leases (
  key TEXT PRIMARY KEY, holder TEXT NOT NULL, turn INTEGER NOT NULL, tags TEXT NOT NULL
) STRICT, WITHOUT ROWID;
CREATE TABLE holders (
  id TEXT PRIMARY KEY, host TEXT NOT NULL, pid INTEGER NOT NULL, started TEXT NOT NULL,
  beat INTEGER NOT NULL, seen_at INTEGER NOT NULL
) STRICT, WITHOUT ROWID;
CREATE TABLE blobs (
  hash TEXT NOT NULL, video TEXT NOT NULL, type TEXT NOT NULL,
  PRIMARY KEY (hash, video)
) STRICT, WITHOUT ROWID;
CREATE INDEX blobs_by_video ON blobs (video);
CREATE TABLE events (
  question TEXT NOT NULL, seq INTEGER NOT NULL, at REAL NOT NULL, stage TEXT NOT NULL, body TEXT NOT NULL,
  PRIMARY KEY (question, seq)
) STRICT, WITHOUT ROWID;
CREATE TABLE videos (
  path TEXT PRIMARY KEY, hash TEXT NOT NULL, size INTEGER NOT NULL, modified_ms REAL NOT NULL,
  seen INTEGER NOT NULL
) STRICT;
CREATE INDEX videos_by_hash ON videos (hash, seen);
CREATE TABLE questions (
  id TEXT NOT NULL, video TEXT NOT NULL, json TEXT NOT NULL,
  PRIMARY KEY (video, id)
) STRICT;
CREATE TABLE sets (
  id TEXT NOT NULL, video TEXT NOT NULL, json TEXT NOT NULL,
  PRIMARY KEY (id, video)
) STRICT;
CREATE INDEX sets_by_video ON sets (video);
`;

/*
 * Added in format 2: the service's files, questions (`open`: not ended), keys, and the daily spending of each key.
 */
const SERVICE_TABLES_SQL = `
CREATE TABLE uploads (
  id TEXT PRIMARY KEY, owner TEXT NOT NULL, name TEXT NOT NULL, size INTEGER NOT NULL,
  created_at REAL NOT NULL, hash TEXT, json TEXT
) STRICT;
CREATE INDEX uploads_by_hash ON uploads (hash);
CREATE TABLE asked (
  id TEXT PRIMARY KEY, upload TEXT NOT NULL, owner TEXT NOT NULL, open INTEGER NOT NULL,
  created_at REAL NOT NULL, json TEXT NOT NULL
) STRICT;
CREATE INDEX asked_by_upload ON asked (upload);
CREATE INDEX asked_open ON asked (open) WHERE open = 1;
CREATE TABLE keys (
  name TEXT PRIMARY KEY, hash TEXT NOT NULL UNIQUE, created_at REAL NOT NULL, json TEXT NOT NULL
) STRICT;
CREATE TABLE spent (
  owner TEXT NOT NULL, day TEXT NOT NULL, dollars REAL NOT NULL,
  PRIMARY KEY (owner, day)
) STRICT, WITHOUT ROWID;
`;

/*
 * Added in format 3: files uploaded to model providers (`uri` is null until the upload is complete, `leaving` is 1 once
 * the file is to be deleted), and the processes that use them.
 */
const REMOTE_TABLES = `
CREATE TABLE remote_files (
  name TEXT NOT NULL, place TEXT NOT NULL, account TEXT NOT NULL, content TEXT NOT NULL,
  uri TEXT, expires_at REAL NOT NULL, leaving INTEGER NOT NULL DEFAULT 0,
  PRIMARY KEY (place, name)
) STRICT, WITHOUT ROWID;
CREATE INDEX remote_files_by_content ON remote_files (content);
CREATE TABLE remote_holds (
  place TEXT NOT NULL, name TEXT NOT NULL, host TEXT NOT NULL, pid INTEGER NOT NULL, started TEXT NOT NULL,
  PRIMARY KEY (place, name, host, pid, started)
) STRICT, WITHOUT ROWID;
`;

/**
 * Creates the tables in an empty database, or checks an existing one and upgrades an older layout.
 * Throws `Failure` `store-format` for a newer layout or another program's file.
 */
export async function prepareDatabase(db: DatabaseSync, file: string): Promise<void> {
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
    if (format === 0) db.exec(TABLES);
    if (format < 2) db.exec(SERVICE_TABLES_SQL);
    db.exec(REMOTE_TABLES);
    db.exec(`PRAGMA application_id = ${APPLICATION_ID}`);
    db.exec(`PRAGMA user_version = ${FORMAT}`);
  });
}

/** The format of the database, 0 when it is empty. */
function checkFormat(db: DatabaseSync, file: string): number {
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
