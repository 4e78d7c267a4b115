import { randomUUID } from "node:crypto";
import type { Events } from "../../core/contracts.ts";
import type { Event, EventBody } from "../../core/events.ts";
import { lostQuestion } from "../../core/lost-question.ts";
import type { Database } from "./database.ts";
import type { Listen } from "./listener.ts";
import { CHANNEL } from "./service-schema.ts";

/** Rows that are read at once, so that a limit in bytes does not read a long list. */
const PAGE = 500;

/**
 * `append_event` locks the question, so that concurrent processes leave no gaps and no duplicates. `holder` is the process
 * that runs the questions of the service here; null for a store that one service uses at a time.
 */
export function createEvents(
  db: Database,
  schema: string,
  holder: string | null,
  listen?: Listen,
): Events {
  /** The last append of each question. Connections run at the same time, and would exchange the order of the events. */
  const last = new Map<string, Promise<unknown>>();

  async function inTurn<T>(question: string, work: () => Promise<T>): Promise<T> {
    const before = last.get(question) ?? Promise.resolve();
    const done = before.then(work, work);
    last.set(question, done);
    try {
      return await done;
    } finally {
      if (last.get(question) === done) last.delete(question);
    }
  }

  const appendWith =
    (sql: string, ...more: (string | null)[]): Events["append"] =>
    async (question, stage, at, body) => {
      const values = [question, at, stage, JSON.stringify(body), randomUUID(), ...more];
      const row = await inTurn(question, () => db.row("writing an event", sql, values));
      if (row?.seq == null) throw lostQuestion();
      return { seq: Number(row.seq), question, at, stage, ...body };
    };

  return {
    ...(listen === undefined ? {} : { watch: watchWith(listen, schema) }),
    append: appendWith("SELECT append_event($1, $2, $3, $4, $5) AS seq"),
    appendAsHolder: appendWith("SELECT append_held_event($1, $2, $3, $4, $5, $6) AS seq", holder),
    async after(question, seq, most_bytes = Number.POSITIVE_INFINITY) {
      const events: Event[] = [];
      let bytes = 0;
      for (let last = seq; ; ) {
        const rows = await db.rows(
          "reading events",
          `SELECT seq, at, stage, body FROM events WHERE question = $1 AND seq > $2 ORDER BY seq LIMIT ${PAGE}`,
          [question, last],
        );
        for (const row of rows) {
          last = Number(row.seq);
          const text = String(row.body);
          const body = bodyOf(text);
          if (body === undefined) continue;
          const { at, stage } = row;
          events.push({ seq: last, question, at: Number(at), stage: String(stage), ...body });
          bytes += text.length;
          if (bytes >= most_bytes) return events;
        }
        if (rows.length < PAGE) return events;
      }
    },
    async forget(question) {
      await db.run("forgetting events", "DELETE FROM events WHERE question = $1", [question]);
    },
  };
}

/** Stores in several schemas of a database share a channel. */
function watchWith(listen: Listen, schema: string): NonNullable<Events["watch"]> {
  const start = `${schema} `;
  return (onChange) =>
    listen(CHANNEL, (payload) => {
      if (payload.startsWith(start)) onChange(payload.slice(start.length));
    });
}

/** Undefined for a damaged row, which readers skip. */
function bodyOf(text: string): EventBody | undefined {
  try {
    return JSON.parse(text) as EventBody;
  } catch {
    return undefined;
  }
}
