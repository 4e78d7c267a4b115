import { LIBRARY_TABLES } from "./library-schema.ts";
import { OPERATION_TABLES } from "./operation-schema.ts";
import { SERVICE_TABLES } from "./service-schema.ts";
import { TEXT } from "./sql-types.ts";

/* The layout of the schema, as one step from each format to the next. A released step never changes; append new ones. */

/*
 * store_format  one row: the format of the schema
 * processes     open stores that run steps or use remote files, until `expires_at` by the clock of the database
 * steps         stored results; `run` is '' for results that every run may use
 * leases        steps in flight, with the process that runs them
 * blobs         which video owns which file of `blobs/`; a row is written before its file
 * events        `nonce` is the writer's, so that an event that is sent twice is written once
 * videos        by the hash of the path, since an index takes no long texts
 * JSON is text and not `jsonb`: it comes back byte by byte, and may hold "\\u0000".
 */
const TABLES = `
CREATE TABLE store_format (format integer NOT NULL);
CREATE TABLE processes (
  id ${TEXT} PRIMARY KEY, host ${TEXT} NOT NULL, pid bigint NOT NULL, started ${TEXT} NOT NULL,
  expires_at timestamptz NOT NULL
);
CREATE TABLE steps (
  key ${TEXT}, run ${TEXT}, value ${TEXT} NOT NULL,
  PRIMARY KEY (key, run)
);
CREATE TABLE step_tags (
  tag ${TEXT}, key ${TEXT},
  PRIMARY KEY (tag, key)
);
CREATE INDEX step_tags_by_key ON step_tags (key);
CREATE TABLE leases (
  key ${TEXT} PRIMARY KEY, holder ${TEXT} NOT NULL, turn bigint NOT NULL, tags text[] NOT NULL
);
CREATE INDEX leases_by_holder ON leases (holder);
CREATE INDEX leases_by_tag ON leases USING gin (tags);
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
CREATE FUNCTION is_json(value text) RETURNS boolean LANGUAGE plpgsql IMMUTABLE AS $$
BEGIN
  PERFORM value::json;
  RETURN true;
EXCEPTION WHEN OTHERS THEN
  RETURN false;
END $$;
`;

/** `MIGRATIONS[n]` turns format n into format n + 1; 0 is an empty schema. */
export const MIGRATIONS: readonly string[] = [
  TABLES + SERVICE_TABLES + LIBRARY_TABLES + OPERATION_TABLES,
];
