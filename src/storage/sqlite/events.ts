import type { DatabaseSync } from "node:sqlite";
import type { Events } from "../../core/contracts.ts";
import type { Event, EventBody } from "../../core/events.ts";
import { fromJson } from "../rows/from-json.ts";
import { guard } from "./transaction.ts";
import type { WriteQueue } from "./write-queue.ts";

/** One statement assigns the number and writes the row, so that concurrent processes leave no gaps and no duplicates. */
export function createEvents(db: DatabaseSync, queue: WriteQueue): Events {
  const append = db.prepare(
    `INSERT INTO events (question, seq, at, stage, body)
     VALUES (?1, coalesce((SELECT seq FROM events WHERE question = ?1 ORDER BY seq DESC LIMIT 1), 0) + 1, ?2, ?3, ?4)
     RETURNING seq`,
  );
  const after = db.prepare(
    "SELECT seq, at, stage, body FROM events WHERE question = ? AND seq > ? AND json_valid(body) ORDER BY seq",
  );
  const forget = db.prepare("DELETE FROM events WHERE question = ?");
  return {
    async append(question, stage, at, body) {
      const json = JSON.stringify(body);
      const row = await queue.writeSoon("writing an event", () =>
        append.get(question, at, stage, json),
      );
      return { seq: Number(row?.seq), question, at, stage, ...body };
    },
    async after(question, seq, most_bytes = Number.POSITIVE_INFINITY) {
      queue.flush();
      return guard("reading events", () => {
        const events: Event[] = [];
        let bytes = 0;
        for (const row of after.iterate(question, seq)) {
          const body = String(row.body);
          events.push({
            seq: Number(row.seq),
            question,
            at: Number(row.at),
            stage: String(row.stage),
            ...(fromJson(body, "an event") as EventBody),
          });
          bytes += body.length;
          if (bytes >= most_bytes) break;
        }
        return events;
      });
    },
    async forget(question) {
      await queue.write("forgetting events", () => forget.run(question));
    },
  };
}
