import type { DatabaseSync, StatementSync } from "node:sqlite";
import type { Events } from "../../core/contracts.ts";
import type { Event, EventBody } from "../../core/events.ts";
import { lostQuestion } from "../../core/lost-question.ts";
import { fromJson } from "../rows/from-json.ts";
import { guard } from "./transaction.ts";
import type { WriteQueue } from "./write-queue.ts";

const ROW =
  "?1, coalesce((SELECT seq FROM events WHERE question = ?1 ORDER BY seq DESC LIMIT 1), 0) + 1, ?2, ?3, ?4";

/** One statement assigns the number and writes the row, so that concurrent processes leave no gaps and no duplicates. */
export function createEvents(db: DatabaseSync, queue: WriteQueue): Events {
  const insert = (rows: string) =>
    db.prepare(`INSERT INTO events (question, seq, at, stage, body) ${rows} RETURNING seq`);
  const append = insert(`VALUES (${ROW})`);
  // One process runs the questions of the service: none has lost an open one.
  const appendOpen = insert(
    `SELECT ${ROW} WHERE EXISTS (SELECT 1 FROM asked WHERE id = ?1 AND open = 1)`,
  );
  const after = db.prepare(
    "SELECT seq, at, stage, body FROM events WHERE question = ? AND seq > ? AND json_valid(body) ORDER BY seq",
  );
  const forget = db.prepare("DELETE FROM events WHERE question = ?");
  const appendWith =
    (statement: StatementSync): Events["append"] =>
    async (question, stage, at, body) => {
      const json = JSON.stringify(body);
      const row = await queue.writeSoon("writing an event", () =>
        statement.get(question, at, stage, json),
      );
      if (row === undefined) throw lostQuestion();
      return { seq: Number(row.seq), question, at, stage, ...body };
    };
  return {
    append: appendWith(append),
    appendAsHolder: appendWith(appendOpen),
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
