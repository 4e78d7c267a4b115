import { ALIVE } from "./memo-schema.ts";
import { TEXT } from "./sql-types.ts";

/** The channel for changed videos and questions; the payload is the schema, a space, and JSON: owner, video, question. */
export const CHANGES = "video_rrd_changes";

const claimQuestion = (
  create: string,
  set: string,
) => `${create} FUNCTION claim_question(process text, most bigint, margin_ms bigint, OUT known boolean, OUT claimed text)
LANGUAGE plpgsql AS $$
BEGIN
  known := EXISTS (
    SELECT 1 FROM processes
    WHERE processes.id = process AND expires_at > clock_timestamp() + margin_ms * interval '1 millisecond'
  );
  IF NOT known THEN RETURN; END IF;
  PERFORM pg_advisory_xact_lock(hashtextextended(current_schema() || ' claims of questions', 0));
  UPDATE asked SET ${set} WHERE id = (
    WITH held AS (
      SELECT owner, count(*) AS running, count(*) FILTER (WHERE holder = process) AS own
      FROM asked JOIN processes ON processes.id = holder AND ${ALIVE} WHERE open = 1 GROUP BY owner
    )
    SELECT asked.id FROM asked
    LEFT JOIN processes ON processes.id = asked.holder AND ${ALIVE}
    LEFT JOIN held ON held.owner = asked.owner
    WHERE open = 1 AND processes.id IS NULL AND coalesce(own, 0) < most
    ORDER BY coalesce(running, 0), number LIMIT 1
  ) RETURNING id INTO claimed;
END $$;
`;

/*
 * replicas        services that run; a row ends with its process
 * asked.holder    the process that runs a question; `cancelled`: a caller wants it to end
 * sessions        of browsers, by the hash of their id
 * review_leases   which rater has which answer in review
 * claim_question  claims the next question. A lock admits one process at a time, so that each counts the claims before
 */
export const REPLICA_TABLES = `
CREATE TABLE replicas (process ${TEXT} PRIMARY KEY, folder ${TEXT} NOT NULL, blobs ${TEXT});
ALTER TABLE asked ADD COLUMN holder ${TEXT}, ADD COLUMN cancelled boolean NOT NULL DEFAULT false;
CREATE INDEX asked_by_holder ON asked (holder) WHERE open = 1;
CREATE TABLE sessions (id ${TEXT} PRIMARY KEY, token ${TEXT} NOT NULL, expires_at timestamptz NOT NULL);
CREATE TABLE review_leases (
  question ${TEXT}, rater ${TEXT}, blind boolean NOT NULL, since timestamptz NOT NULL,
  PRIMARY KEY (question, rater)
);
${claimQuestion("CREATE", "holder = process")}CREATE FUNCTION tell_change(owner text, video text, question text) RETURNS void LANGUAGE sql AS $$
  SELECT pg_notify('${CHANGES}', current_schema() || ' ' || json_build_array(left(owner, 500), left(video, 500), left(question, 500)));
$$;
CREATE FUNCTION tell_upload() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
  IF TG_OP = 'DELETE' THEN PERFORM tell_change(old.owner, old.id, NULL);
  ELSE PERFORM tell_change(new.owner, new.id, NULL); END IF;
  RETURN NULL;
END $$;
CREATE FUNCTION tell_asked() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
  IF TG_OP = 'DELETE' THEN PERFORM tell_change(old.owner, old.upload, old.id);
  ELSE PERFORM tell_change(new.owner, new.upload, new.id); END IF;
  RETURN NULL;
END $$;
CREATE FUNCTION tell_tag() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
  PERFORM tell_change(owner, id, NULL) FROM uploads WHERE id = CASE WHEN TG_OP = 'DELETE' THEN old.upload ELSE new.upload END;
  RETURN NULL;
END $$;
CREATE TRIGGER uploads_told AFTER INSERT OR UPDATE OR DELETE ON uploads FOR EACH ROW EXECUTE FUNCTION tell_upload();
CREATE TRIGGER asked_told AFTER INSERT OR UPDATE OR DELETE ON asked FOR EACH ROW EXECUTE FUNCTION tell_asked();
CREATE TRIGGER tags_told AFTER INSERT OR DELETE ON upload_tags FOR EACH ROW EXECUTE FUNCTION tell_tag();
`;

/*
 * asked.starts    claims since the question was asked, except for those that were given back
 * replicas.role   `service`, `front` (a service that leaves its questions to workers) or `worker`
 * service_plan    what workers need to answer the questions of the services, as JSON; at most one row
 * workers.process the process of a worker, which holds questions
 */
export const SERVICE_WORKER_TABLES = `
ALTER TABLE asked ADD COLUMN starts integer NOT NULL DEFAULT 0;
ALTER TABLE replicas ADD COLUMN role ${TEXT} NOT NULL DEFAULT 'service';
ALTER TABLE workers ADD COLUMN process ${TEXT};
CREATE TABLE service_plan (one boolean PRIMARY KEY DEFAULT true CHECK (one), json ${TEXT} NOT NULL);
${claimQuestion("CREATE OR REPLACE", "holder = process, starts = starts + 1")}`;
