import { setTimeout as sleep } from "node:timers/promises";
import { decodeRow, encodeValue } from "./nul-escape.ts";
import { isDeadlock, isLost, NotConnected, postgresFailure } from "./postgres-failure.ts";
import type { Row, Value } from "./value.ts";

/** Rows of a statement, and how many rows it read or changed. */
export interface Result {
  rows: Row[];
  count: number;
}

/** Sends one statement. */
export type Send = (sql: string, values: readonly Value[]) => Promise<Result>;

/** A connection to PostgreSQL, or several. */
export interface Driver {
  send: Send;
  /** Runs `work` between BEGIN and COMMIT on one connection; an error rolls back. */
  transaction<T>(work: (send: Send) => Promise<T>): Promise<T>;
  close(): Promise<void>;
}

/**
 * What happens if the connection is lost before the reply: `repeat` sends the statement again, which must not do harm if
 * the first one was carried out; `once` fails. A statement that was not sent is sent again in both cases.
 */
export type Loss = "repeat" | "once";

/** Milliseconds for which a lost database is waited for, and between attempts. */
export interface Patience {
  total_ms: number;
  first_ms: number;
  longest_ms: number;
}

const PATIENCE: Patience = { total_ms: 30_000, first_ms: 50, longest_ms: 1_000 };

/** A deadlock ends one of the transactions; it is run again this often. */
const MOST_DEADLOCKS = 5;

/** Statements for one store. Errors become a `Failure` that names the action `doing`. */
export interface Database {
  run(doing: string, sql: string, values?: readonly Value[], loss?: Loss): Promise<Result>;
  /** The rows of a statement that may be sent again. */
  rows(doing: string, sql: string, values?: readonly Value[]): Promise<Row[]>;
  /** The first row. */
  row(doing: string, sql: string, values?: readonly Value[]): Promise<Row | undefined>;
  /** Runs `work` in a transaction, again from the start after a deadlock or a lost connection. */
  transaction<T>(doing: string, work: (send: Send) => Promise<T>, loss?: Loss): Promise<T>;
  /** Waits no longer for a lost database, runs `last`, whose errors do not count, and closes the connections. */
  close(last?: () => Promise<void>): Promise<void>;
}

/** Wraps a driver: waits for a restarted database, escapes NUL characters, and converts errors. */
export function createDatabase(driver: Driver, patience: Patience = PATIENCE): Database {
  const closing = new AbortController();

  async function patiently<T>(doing: string, loss: Loss, attempt: () => Promise<T>): Promise<T> {
    const until = performance.now() + patience.total_ms;
    let deadlocks = 0;
    for (let wait = patience.first_ms; ; wait = Math.min(wait * 2, patience.longest_ms)) {
      try {
        return await attempt();
      } catch (error) {
        const deadlock = isDeadlock(error) && ++deadlocks < MOST_DEADLOCKS;
        const repeats = isLost(error) && (loss === "repeat" || error instanceof NotConnected);
        const isOver = closing.signal.aborted || performance.now() + wait > until;
        if (!deadlock && (!repeats || isOver)) throw postgresFailure(error, doing);
      }
      await sleep(wait, undefined, { signal: closing.signal }).catch(() => {});
    }
  }

  const escaped =
    (send: Send): Send =>
    async (sql, values) => {
      const { rows, count } = await send(sql, values.map(encodeValue));
      return { rows: rows.map(decodeRow), count };
    };
  const send = escaped(driver.send);

  const database: Database = {
    run: (doing, sql, values = [], loss = "repeat") =>
      patiently(doing, loss, () => send(sql, values)),
    async rows(doing, sql, values) {
      return (await database.run(doing, sql, values)).rows;
    },
    async row(doing, sql, values) {
      return (await database.run(doing, sql, values)).rows[0];
    },
    transaction: (doing, work, loss = "repeat") =>
      patiently(doing, loss, () => driver.transaction((inside) => work(escaped(inside)))),
    async close(last) {
      closing.abort();
      await last?.().catch(() => {});
      await driver.close();
    },
  };
  return database;
}
