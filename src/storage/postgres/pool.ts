import { Pool, type PoolClient, types } from "pg";
import type { Driver, Result, Send } from "./database.ts";
import { isLost, NotConnected } from "./postgres-failure.ts";
import type { PostgresAddress } from "./store-address.ts";

const CONNECTIONS = 10;
const CONNECT_MS = 10_000;
const IDLE_MS = 30_000;
/** A server that does not reply for this long is lost. */
const REPLY_MS = 120_000;
/** Idle time after which the system checks a connection: its own default is two hours. */
const KEEP_ALIVE_MS = 30_000;

const INT8 = 20;

/** Connections to a server. */
export interface PostgresPool extends Driver {
  /** Runs `work` on one connection, outside a transaction. */
  hold<T>(work: (send: Send) => Promise<T>): Promise<T>;
}

/** Connections to a server. No connection is held between statements, except within a transaction and by `hold`. */
export function createPool({ connection, schema }: PostgresAddress): PostgresPool {
  const pool = new Pool({
    connectionString: connection,
    application_name: "video-rrd",
    max: CONNECTIONS,
    connectionTimeoutMillis: CONNECT_MS,
    idleTimeoutMillis: IDLE_MS,
    query_timeout: REPLY_MS,
    keepAlive: true,
    keepAliveInitialDelayMillis: KEEP_ALIVE_MS,
    allowExitOnIdle: true,
    // Not in `options`: poolers refuse or ignore it, and `options` of the address would replace it.
    onConnect: (client) => client.query(`SET search_path = ${schema}`),
    types: {
      getTypeParser: ((oid: number, format?: "text" | "binary") =>
        oid === INT8 ? Number : types.getTypeParser(oid, format as "text")) as never,
    },
  });
  // An idle connection that ends is replaced at its next use.
  pool.on("error", () => {});

  async function connect(): Promise<PoolClient> {
    try {
      return await pool.connect();
    } catch (error) {
      throw new NotConnected(error);
    }
  }

  async function hold<T>(work: (send: Send) => Promise<T>): Promise<T> {
    const client = await connect();
    // The pool listens only while a connection is idle.
    const onError = () => {};
    client.on("error", onError);
    let lost = false;
    const send: Send = async (sql, values): Promise<Result> => {
      try {
        const results = [await client.query(sql, values as unknown[])].flat();
        const { rows, rowCount } = results.at(-1) ?? { rows: [], rowCount: 0 };
        return { rows, count: rowCount ?? 0 };
      } catch (error) {
        lost ||= isLost(error);
        throw error;
      }
    };
    try {
      return await work(send);
    } finally {
      client.off("error", onError);
      client.release(lost);
    }
  }

  return {
    hold,
    send: (sql, values) => hold((send) => send(sql, values)),
    transaction: (work) =>
      hold(async (send) => {
        await send("BEGIN", []);
        try {
          const result = await work(send);
          await send("COMMIT", []);
          return result;
        } catch (error) {
          if (!isLost(error)) await send("ROLLBACK", []).catch(() => {});
          throw error;
        }
      }),
    close: () => pool.end(),
  };
}
