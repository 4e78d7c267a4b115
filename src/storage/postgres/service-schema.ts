import { TEXT } from "./sql-types.ts";

/** The channel of `pg_notify` for changed questions; the payload is the schema, a space, and the id of the question. */
export const CHANNEL = "video_rrd_questions";

/*
 * Uploads, questions and keys of the service, and what belongs to them. `name_key`, `duration_s`, and `state` to `review`
 * copy members of the JSON, so that lists and triggers read no JSON.
 */
export const SERVICE_TABLES = `
CREATE TABLE uploads (
  number bigint GENERATED ALWAYS AS IDENTITY, id ${TEXT} PRIMARY KEY, owner ${TEXT} NOT NULL, name ${TEXT} NOT NULL,
  name_key ${TEXT} NOT NULL, size bigint NOT NULL, created_at double precision NOT NULL, hash ${TEXT},
  duration_s double precision, json ${TEXT}
);
CREATE INDEX uploads_by_hash ON uploads (hash);
CREATE INDEX uploads_by_owner ON uploads (owner, created_at, id);
CREATE TABLE upload_tags (
  upload ${TEXT}, tag ${TEXT},
  PRIMARY KEY (upload, tag)
);
CREATE TABLE asked (
  number bigint GENERATED ALWAYS AS IDENTITY, id ${TEXT} PRIMARY KEY, upload ${TEXT} NOT NULL, owner ${TEXT} NOT NULL,
  open integer NOT NULL, created_at double precision NOT NULL, json ${TEXT} NOT NULL,
  state ${TEXT}, strategy ${TEXT}, model ${TEXT}, verdict ${TEXT}, search_text ${TEXT}, review ${TEXT}
);
CREATE FUNCTION notify_question(id text) RETURNS void LANGUAGE sql AS $$
  SELECT pg_notify('${CHANNEL}', current_schema() || ' ' || left(id, 1000));
$$;
CREATE FUNCTION notify_change() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
  PERFORM notify_question(new.id);
  RETURN NULL;
END $$;
CREATE TRIGGER asked_notified AFTER INSERT OR UPDATE ON asked FOR EACH ROW EXECUTE FUNCTION notify_change();
CREATE INDEX asked_by_upload ON asked (upload);
CREATE INDEX asked_by_owner ON asked (owner, created_at, id);
CREATE INDEX asked_open ON asked (number) WHERE open = 1;
CREATE TABLE keys (
  number bigint GENERATED ALWAYS AS IDENTITY, name ${TEXT} PRIMARY KEY, hash ${TEXT} NOT NULL UNIQUE,
  created_at double precision NOT NULL, json ${TEXT} NOT NULL
);
CREATE TABLE spent (
  owner ${TEXT}, day ${TEXT}, dollars double precision NOT NULL,
  PRIMARY KEY (owner, day)
);
CREATE TABLE ratings (
  number bigint GENERATED ALWAYS AS IDENTITY, id ${TEXT} PRIMARY KEY, question ${TEXT} NOT NULL, rater ${TEXT} NOT NULL,
  verdict ${TEXT} NOT NULL, answer ${TEXT} NOT NULL, note ${TEXT}, seconds double precision,
  at double precision NOT NULL, blind integer NOT NULL, settles integer NOT NULL, undone_at double precision
);
CREATE INDEX ratings_by_question ON ratings (question, rater);
CREATE TABLE usage (
  owner ${TEXT}, day ${TEXT}, strategy ${TEXT}, model ${TEXT},
  questions bigint NOT NULL, calls bigint NOT NULL, input bigint NOT NULL, output bigint NOT NULL,
  cost double precision NOT NULL, paid double precision NOT NULL, unpriced bigint NOT NULL,
  PRIMARY KEY (owner, day, strategy, model)
);
CREATE TABLE idempotent (
  owner ${TEXT}, key ${TEXT}, about ${TEXT}, request ${TEXT} NOT NULL, made ${TEXT} NOT NULL,
  created_at double precision NOT NULL, status integer, location ${TEXT}, body ${TEXT},
  PRIMARY KEY (owner, key)
);
CREATE INDEX idempotent_by_about ON idempotent (about);
CREATE INDEX idempotent_by_time ON idempotent (created_at);
`;
