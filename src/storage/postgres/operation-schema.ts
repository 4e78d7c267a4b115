import { MOST_OPEN } from "../../core/webhook-queue.ts";
import { TEXT } from "./sql-types.ts";

/*
 * audit               entries of the audit log. A trigger refuses changes, and removals other than by `prune`, which names
 *                     an instant in the setting `video_rrd.prune_before` of its transaction
 * webhook_events      the events that are queued; empty: there is no webhook
 * webhook_deliveries  calls of the webhook. Triggers write them in the transaction of the change, so that no kill loses one
 */
export const OPERATION_TABLES = `
CREATE TABLE audit (
  id bigint GENERATED ALWAYS AS IDENTITY PRIMARY KEY, at double precision NOT NULL, who ${TEXT} NOT NULL,
  address ${TEXT} NOT NULL, action ${TEXT} NOT NULL, video ${TEXT}, name ${TEXT}, question ${TEXT}, evidence ${TEXT},
  details ${TEXT} NOT NULL
);
CREATE INDEX audit_by_time ON audit (at);
CREATE INDEX audit_by_video ON audit (video);
CREATE FUNCTION keep_audit() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
  IF TG_OP = 'DELETE' AND old.at < nullif(current_setting('video_rrd.prune_before', true), '')::double precision THEN
    RETURN old;
  END IF;
  RAISE EXCEPTION 'the audit log is append-only';
END $$;
CREATE TRIGGER audit_unchanged BEFORE UPDATE OR DELETE ON audit FOR EACH ROW EXECUTE FUNCTION keep_audit();
CREATE TABLE webhook_events (event ${TEXT} PRIMARY KEY);
CREATE TABLE webhook_deliveries (
  number bigint GENERATED ALWAYS AS IDENTITY PRIMARY KEY, id ${TEXT} NOT NULL UNIQUE, event ${TEXT} NOT NULL,
  subject ${TEXT} NOT NULL, at double precision NOT NULL, body ${TEXT}, tries integer NOT NULL DEFAULT 0,
  next_at double precision NOT NULL DEFAULT 0, state ${TEXT} NOT NULL, problem ${TEXT}
);
CREATE INDEX webhook_deliveries_due ON webhook_deliveries (state, next_at);
CREATE FUNCTION queue_delivery() RETURNS trigger LANGUAGE plpgsql AS $$
DECLARE happened text := TG_ARGV[0];
BEGIN
  IF happened = 'question.' THEN happened := happened || new.state; END IF;
  INSERT INTO webhook_deliveries (id, event, subject, at, state, problem)
  SELECT replace(gen_random_uuid()::text, '-', ''), event, new.id, extract(epoch FROM clock_timestamp()) * 1000,
    CASE WHEN isfull THEN 'dead' ELSE 'open' END, CASE WHEN isfull THEN 'the queue was full' END
  FROM webhook_events,
    (SELECT count(*) >= ${MOST_OPEN} AS isfull FROM webhook_deliveries WHERE state = 'open') AS queue
  WHERE event = happened;
  RETURN NULL;
END $$;
${queueing("question_ended", "UPDATE ON asked", "old.open = 1 AND new.open = 0", "question.")}
${queueing(
  "review_made",
  "UPDATE ON asked",
  "new.open = 0 AND new.review IS NOT NULL AND new.review IS DISTINCT FROM old.review",
  "review.made",
)}
${queueing("video_added", "INSERT ON uploads", "new.hash IS NOT NULL", "video.ready")}
${queueing("video_ready", "UPDATE ON uploads", "new.hash IS NOT NULL AND old.hash IS NULL", "video.ready")}
`;

/** A trigger that queues a delivery, if its event is on. `question.` is completed by the state of the question. */
function queueing(name: string, on: string, when: string, event: string): string {
  return `CREATE TRIGGER webhook_${name} AFTER ${on} FOR EACH ROW WHEN (${when}) EXECUTE FUNCTION queue_delivery('${event}');`;
}
