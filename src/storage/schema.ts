import type { DatabaseSync } from "node:sqlite";
import { setTimeout as sleep } from "node:timers/promises";
import { Failure } from "../core/errors.ts";
import { isBusy, storeFailure, transaction } from "./sqlite.ts";

/** Number of the layout below, of the database and of the folder; kept as SQLite's `user_version`. */
export const FORMAT = 3;

/** "vrrd": tells our files from other programs' databases. */
const APPLICATION_ID = 0x76727264;

/** Milliseconds that a write waits for another process's write; each takes well under one. */
export const BUSY_TIMEOUT_MS = 10_000;

/*
 * steps      kept results; `run` is '' for those that serve every run
 * leases     steps in flight, by the process that does them
 * holders    processes with steps in flight; `beat` counts up while they live
 * blobs      which video owns which file of `blobs/`; a row stands before its file does
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
 * What format 2 has beside: the service's files, questions (`open`: not at an end), keys, and what each key spent on a day.
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
 * What format 3 has in addition: files uploaded to model providers (`uri` is null until the upload has ended, `leaving`
 * is 1 once it is to be deleted), and the processes that use each.
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
 * Makes an empty database ours, or checks that it is; an older layout is completed.
 * Throws `Failure` `store-format` for a newer layout or another program's file.
 */
export async function prepare(db: DatabaseSync, file: string): Promise<void> {
  // Read before anything is changed, so that a file we do not know stays as it was.
  checkFormat(db, file);
  await useWal(db);
  // NORMAL: what is written survives the death of the process at any time, and the database stays whole when power
  // fails; only then may the last steps be lost, which costs a call each, against an fsync for every step.
  db.exec("PRAGMA synchronous = NORMAL");
  // Forgotten rows are overwritten, not merely unlinked.
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
      `Expected ${file} to be a store of video-rrd, but it is another program's database: choose another folder.`,
      { file },
    );
  if (format > FORMAT)
    throw new Failure(
      "store-format",
      `Expected ${file} to have format ${FORMAT}, got format ${format}: open it with the version of video-rrd that wrote it, or choose another folder.`,
      { file, format, expected: FORMAT },
    );
  return format;
}

function pragma(db: DatabaseSync, name: "user_version" | "application_id"): number {
  const row = db.prepare(`PRAGMA ${name}`).get() as Record<string, number>;
  return row[name] as number;
}

/** SQLite does not wait, whatever the busy timeout, when two processes turn a database to WAL at once. */
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
