import { LIBRARY_TABLES } from "./library-schema.ts";
import { OPERATION_TABLES } from "./operation-schema.ts";
import { QUESTION_COLUMNS } from "./question-columns.ts";

/* The layout of the database, as one step from each format to the next. A released step never changes; append new ones. */

/*
 * Format 1:
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
 * Format 2: the service's files, questions (`open`: not ended), keys, and the daily spending of each key.
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
 * Format 3: files uploaded to model providers (`uri` is null until the upload is complete, `leaving` is 1 once
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

/*
 * Format 4: tags of videos, and the members of a question that lists filter by, as columns with an index: a list of
 * 50,000 questions reads no JSON.
 */
const LIST_COLUMNS = `
CREATE TABLE upload_tags (
  upload TEXT NOT NULL, tag TEXT NOT NULL,
  PRIMARY KEY (upload, tag)
) STRICT, WITHOUT ROWID;
CREATE INDEX uploads_by_owner ON uploads (owner, created_at, id);
${Object.keys(QUESTION_COLUMNS)
  .map((column) => `ALTER TABLE asked ADD COLUMN ${column} TEXT;`)
  .join("\n")}
UPDATE asked SET ${Object.entries(QUESTION_COLUMNS)
  .map(([column, value]) => `${column} = ${value}`)
  .join(", ")} WHERE json_valid(json);
CREATE INDEX asked_by_owner ON asked (owner, created_at, id, upload, ${Object.keys(QUESTION_COLUMNS).join(", ")});
`;

/*
 * Format 6: verdicts of people about answers (`answer` is JSON), and what each key used. Reviews and usage of older formats
 * are in the questions.
 */
const TEAM_TABLES = `
CREATE TABLE ratings (
  id TEXT PRIMARY KEY, question TEXT NOT NULL, rater TEXT NOT NULL, verdict TEXT NOT NULL, answer TEXT NOT NULL,
  note TEXT, seconds REAL, at REAL NOT NULL, blind INTEGER NOT NULL, settles INTEGER NOT NULL, undone_at REAL
) STRICT;
CREATE INDEX ratings_by_question ON ratings (question, rater);
INSERT INTO ratings (id, question, rater, verdict, answer, note, seconds, at, blind, settles, undone_at)
SELECT lower(hex(randomblob(12))), id, json_extract(json, '$.review.by'), json_extract(json, '$.review.verdict'),
  json -> '$.review.answer', json_extract(json, '$.review.note'), NULL, json_extract(json, '$.review.at'), 0, 0, NULL
FROM asked WHERE json_valid(json) AND json_type(json, '$.review.by') = 'text'
  AND json_type(json, '$.review.verdict') = 'text' AND json_type(json, '$.review.answer') IS NOT NULL
  AND json_type(json, '$.review.at') IN ('integer', 'real');
CREATE TABLE usage (
  owner TEXT NOT NULL, day TEXT NOT NULL, strategy TEXT NOT NULL, model TEXT NOT NULL,
  questions INTEGER NOT NULL, calls INTEGER NOT NULL, input INTEGER NOT NULL, output INTEGER NOT NULL,
  cost REAL NOT NULL, paid REAL NOT NULL, unpriced INTEGER NOT NULL,
  PRIMARY KEY (owner, day, strategy, model)
) STRICT, WITHOUT ROWID;
INSERT INTO usage (owner, day, strategy, model, questions, calls, input, output, cost, paid, unpriced)
SELECT owner, strftime('%Y-%m-%d', created_at / 1000, 'unixepoch') AS on_day, json_extract(json, '$.strategy') AS with_strategy,
  coalesce(json_extract(json, '$.model'), '') AS with_model, count(*),
  sum(coalesce(json_extract(json, '$.usage.calls'), 0)), sum(coalesce(json_extract(json, '$.usage.input'), 0)),
  sum(coalesce(json_extract(json, '$.usage.output'), 0)), sum(coalesce(json_extract(json, '$.usage.cost'), 0)),
  sum(coalesce(json_extract(json, '$.usage.paid'), 0)),
  sum(CASE WHEN json_type(json, '$.usage.cost') = 'null' THEN json_extract(json, '$.usage.calls') ELSE 0 END)
FROM asked WHERE json_valid(json) AND json_type(json, '$.strategy') = 'text' AND json_type(json, '$.usage') = 'object'
GROUP BY owner, on_day, with_strategy, with_model;
`;

/* Format 8: requests with an `Idempotency-Key`; `status` is null until they succeeded. */
const IDEMPOTENT_REQUESTS = `
CREATE TABLE idempotent (
  owner TEXT NOT NULL, key TEXT NOT NULL, about TEXT, request TEXT NOT NULL, made TEXT NOT NULL,
  created_at REAL NOT NULL, status INTEGER, location TEXT, body TEXT,
  PRIMARY KEY (owner, key)
) STRICT;
CREATE INDEX idempotent_by_about ON idempotent (about);
CREATE INDEX idempotent_by_time ON idempotent (created_at);
`;

/* Format 9: files of videos outside the data folder, as blobs with a name; `parts` is JSON: the hash of each part. */
const VIDEO_FILES = `
CREATE TABLE video_files (
  video TEXT NOT NULL, name TEXT NOT NULL, hash TEXT NOT NULL, size INTEGER NOT NULL, part_bytes INTEGER NOT NULL,
  parts TEXT NOT NULL,
  PRIMARY KEY (video, name)
) STRICT, WITHOUT ROWID;
`;

/** `MIGRATIONS[n]` turns format n into format n + 1; 0 is an empty database. */
export const MIGRATIONS: readonly string[] = [
  TABLES,
  SERVICE_TABLES_SQL,
  REMOTE_TABLES,
  LIST_COLUMNS,
  LIBRARY_TABLES,
  TEAM_TABLES,
  OPERATION_TABLES,
  IDEMPOTENT_REQUESTS,
  VIDEO_FILES,
];
