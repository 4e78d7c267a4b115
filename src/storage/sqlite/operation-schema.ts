import { MOST_OPEN } from "../../core/webhook-queue.ts";

/*
 * audit               entries of the audit log. Triggers refuse changes, and removals other than by `prune`
 * audit_pruning       has a row while `prune` runs
 * webhook_events      the events that are queued; empty: there is no webhook
 * webhook_deliveries  calls of the webhook. Triggers write them in the transaction of the change, so that no kill loses one
 */
export const OPERATION_TABLES = `
CREATE TABLE audit (
  id INTEGER PRIMARY KEY AUTOINCREMENT, at REAL NOT NULL, who TEXT NOT NULL, address TEXT NOT NULL,
  action TEXT NOT NULL, video TEXT, name TEXT, question TEXT, evidence TEXT, details TEXT NOT NULL
) STRICT;
CREATE INDEX audit_by_time ON audit (at);
CREATE INDEX audit_by_video ON audit (video);
CREATE TABLE audit_pruning (before REAL NOT NULL) STRICT;
CREATE TRIGGER audit_unchanged BEFORE UPDATE ON audit BEGIN
  SELECT raise(ABORT, 'the audit log is append-only');
END;
CREATE TRIGGER audit_kept BEFORE DELETE ON audit
WHEN NOT EXISTS (SELECT 1 FROM audit_pruning WHERE old.at < before) BEGIN
  SELECT raise(ABORT, 'the audit log is append-only');
END;
CREATE TABLE webhook_events (event TEXT PRIMARY KEY) STRICT, WITHOUT ROWID;
CREATE TABLE webhook_deliveries (
  number INTEGER PRIMARY KEY AUTOINCREMENT, id TEXT NOT NULL UNIQUE, event TEXT NOT NULL, subject TEXT NOT NULL,
  at REAL NOT NULL, body TEXT, tries INTEGER NOT NULL DEFAULT 0, next_at REAL NOT NULL DEFAULT 0,
  state TEXT NOT NULL, problem TEXT
) STRICT;
CREATE INDEX webhook_deliveries_due ON webhook_deliveries (state, next_at);
${queueing("question_ended", "UPDATE ON asked WHEN old.open = 1 AND new.open = 0", "'question.' || new.state")}
${queueing(
  "review_made",
  `UPDATE OF json ON asked WHEN new.open = 0 AND new.json IS NOT old.json
   AND CASE WHEN json_valid(new.json) AND json_valid(old.json) THEN
     json_type(new.json, '$.review') = 'object'
     AND json_extract(new.json, '$.review') IS NOT json_extract(old.json, '$.review') END`,
  "'review.made'",
)}
${queueing("video_added", "INSERT ON uploads WHEN new.hash IS NOT NULL", "'video.ready'")}
${queueing("video_ready", "UPDATE ON uploads WHEN new.hash IS NOT NULL AND old.hash IS NULL", "'video.ready'")}
`;

/** A trigger that queues a delivery, if its event is on. */
function queueing(name: string, on: string, event: string): string {
  return `CREATE TRIGGER webhook_${name} AFTER ${on} BEGIN
  INSERT INTO webhook_deliveries (id, event, subject, at, state, problem)
  SELECT lower(hex(randomblob(16))), event, new.id, unixepoch('subsec') * 1000,
    iif(full, 'dead', 'open'), iif(full, 'the queue was full', NULL)
  FROM webhook_events,
    (SELECT count(*) >= ${MOST_OPEN} AS full FROM webhook_deliveries WHERE state = 'open')
  WHERE event = ${event};
END;`;
}
