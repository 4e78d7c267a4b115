import { LIBRARY_TABLES } from "./library-schema.ts";
import { MEMO_TABLES } from "./memo-schema.ts";
import { OPERATION_TABLES } from "./operation-schema.ts";
import { REPLICA_TABLES, SERVICE_WORKER_TABLES } from "./replica-schema.ts";
import { RUN_ENDS, RUN_INDEXES, RUN_TABLES } from "./runs/schema.ts";
import { SERVICE_TABLES } from "./service-schema.ts";
import { SPENDING_TABLES } from "./spending-schema.ts";
import { TEXT } from "./sql-types.ts";

/* The layout of the schema, as one step from each format to the next. A released step never changes; append new ones. */

/*
 * store_format  one row: the format of the schema
 * blobs         which video owns which file of `blobs/`; a row is written before its file
 * events        `nonce` is the writer's, so that an event that is sent twice is written once
 * videos        by the hash of the path, since an index takes no long texts
 * JSON is text and not `jsonb`: it comes back byte by byte, and may hold "\\u0000".
 */
const TABLES = `
CREATE TABLE store_format (format integer NOT NULL);
CREATE TABLE blobs (
  hash ${TEXT}, video ${TEXT}, type ${TEXT} NOT NULL,
  PRIMARY KEY (hash, video)
);
CREATE INDEX blobs_by_video ON blobs (video, hash);
CREATE FUNCTION lock_blob(of_hash text) RETURNS void LANGUAGE sql AS $$
  SELECT pg_advisory_xact_lock(hashtextextended(current_schema() || ' blob ' || of_hash, 0));
$$;
CREATE FUNCTION claim_blob(of_hash text, of_video text, with_type text) RETURNS text LANGUAGE plpgsql AS $$
DECLARE known text;
BEGIN
  PERFORM lock_blob(of_hash);
  SELECT type INTO known FROM blobs WHERE hash = of_hash LIMIT 1;
  INSERT INTO blobs (hash, video, type) VALUES (of_hash, of_video, coalesce(known, with_type)) ON CONFLICT DO NOTHING;
  RETURN coalesce(known, with_type);
END $$;
CREATE TABLE events (
  question ${TEXT}, seq bigint, at double precision NOT NULL, stage ${TEXT} NOT NULL, body ${TEXT} NOT NULL,
  nonce ${TEXT} NOT NULL,
  PRIMARY KEY (question, seq)
);
CREATE FUNCTION append_event(
  of_question text, at_time double precision, of_stage text, with_body text, with_nonce text
) RETURNS bigint LANGUAGE plpgsql AS $$
DECLARE last bigint; known bigint;
BEGIN
  PERFORM pg_advisory_xact_lock(hashtextextended(current_schema() || ' events ' || of_question, 0));
  SELECT max(seq) INTO last FROM events WHERE question = of_question;
  SELECT seq INTO known FROM events WHERE question = of_question AND seq > last - 100 AND nonce = with_nonce;
  IF known IS NOT NULL THEN RETURN known; END IF;
  INSERT INTO events VALUES (of_question, coalesce(last, 0) + 1, at_time, of_stage, with_body, with_nonce);
  -- Only of a service's questions: the server lets one transaction with notifications end at a time.
  IF EXISTS (SELECT 1 FROM asked WHERE id = of_question) THEN PERFORM notify_question(of_question); END IF;
  RETURN coalesce(last, 0) + 1;
END $$;
CREATE SEQUENCE videos_seen;
CREATE TABLE videos (
  path_hash ${TEXT} PRIMARY KEY, path ${TEXT} NOT NULL, hash ${TEXT} NOT NULL, size bigint NOT NULL,
  modified_ms double precision NOT NULL, seen bigint NOT NULL
);
CREATE INDEX videos_by_hash ON videos (hash, seen);
CREATE TABLE questions (
  number bigint GENERATED ALWAYS AS IDENTITY, id ${TEXT}, video ${TEXT}, json ${TEXT} NOT NULL,
  PRIMARY KEY (video, id)
);
CREATE TABLE sets (
  id ${TEXT}, video ${TEXT}, json ${TEXT} NOT NULL,
  PRIMARY KEY (id, video)
);
CREATE INDEX sets_by_video ON sets (video);
CREATE TABLE remote_files (
  name ${TEXT}, place ${TEXT}, account ${TEXT} NOT NULL, content ${TEXT} NOT NULL, uri ${TEXT},
  expires_at double precision NOT NULL, leaving boolean NOT NULL DEFAULT false,
  PRIMARY KEY (place, name)
);
CREATE INDEX remote_files_by_content ON remote_files (content);
CREATE TABLE remote_holds (
  place ${TEXT}, name ${TEXT}, process ${TEXT},
  PRIMARY KEY (place, name, process)
);
`;

/* Format 2: `video_files`: files of videos as blobs with a name. */
const VIDEO_FILES = `
CREATE TABLE video_files (
  video ${TEXT}, name ${TEXT}, hash ${TEXT} NOT NULL, size bigint NOT NULL, part_bytes bigint NOT NULL,
  parts ${TEXT} NOT NULL,
  PRIMARY KEY (video, name)
);
`;

/* `claims`: rights of processes, for services that share the store. */
const CLAIMS = `
CREATE TABLE claims (name ${TEXT} PRIMARY KEY, holder ${TEXT} NOT NULL, turn bigint NOT NULL);
CREATE INDEX claims_by_holder ON claims (holder);
`;

/* rates: the state of the rate limit of each model endpoint, as JSON */
const RATES = `
CREATE TABLE rates (endpoint ${TEXT} PRIMARY KEY, state ${TEXT} NOT NULL);
`;

/* added_batches: ids of what was added to `usage` and `spent`, so that a write whose reply was lost is not added twice */
const ADDED_BATCHES = `
CREATE TABLE added_batches (id ${TEXT} PRIMARY KEY, at timestamptz NOT NULL DEFAULT clock_timestamp());
`;

/*
 * append_held_event  appends an event of the process that runs a question; null if it does not any more. Removals wait for
 *                    the lock of the row, so that no event outlives its question
 */
const HELD_EVENTS = `
CREATE FUNCTION append_held_event(
  of_question text, at_time double precision, of_stage text, with_body text, with_nonce text, process text
) RETURNS bigint LANGUAGE plpgsql AS $$
BEGIN
  PERFORM pg_advisory_xact_lock(hashtextextended(current_schema() || ' events ' || of_question, 0));
  PERFORM 1 FROM asked WHERE id = of_question AND holder IS NOT DISTINCT FROM process AND open = 1 FOR KEY SHARE;
  -- A repeated statement may have written the event before the question was lost.
  IF NOT FOUND THEN RETURN (SELECT seq FROM events WHERE question = of_question AND nonce = with_nonce); END IF;
  RETURN append_event(of_question, at_time, of_stage, with_body, with_nonce);
END $$;
`;

/** `MIGRATIONS[n]` turns format n into format n + 1; 0 is an empty schema. */
export const MIGRATIONS: readonly string[] = [
  MEMO_TABLES + TABLES + SERVICE_TABLES + LIBRARY_TABLES + OPERATION_TABLES,
  VIDEO_FILES,
  SPENDING_TABLES,
  RUN_TABLES,
  CLAIMS,
  RATES,
  REPLICA_TABLES,
  RUN_INDEXES,
  SERVICE_WORKER_TABLES,
  RUN_ENDS,
  ADDED_BATCHES,
  HELD_EVENTS,
];
