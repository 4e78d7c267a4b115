import { setTimeout as sleep } from "node:timers/promises";
import { Client } from "pg";
import { isLost, NotConnected, postgresFailure } from "./postgres-failure.ts";
import type { PostgresAddress } from "./store-address.ts";

/** Milliseconds before a lost connection is opened again. */
const PAUSE_MS = 1_000;
/**
 * Milliseconds between two checks of the connection, and the longest wait for a reply. A firewall that forgets an idle
 * connection ends it silently.
 */
const CHECK_MS = 30_000;

/** Calls back for each notification on a channel until `stop`. */
export type Listen = (
  channel: string,
  onPayload: (payload: string) => void,
) => Promise<{ stop(): Promise<void> }>;

/**
 * Listens on a connection of its own, which is opened again when it is lost or no longer replies, or later if the server is
 * away; what is notified in between is missed.
 */
export function createListen(
  { connection }: PostgresAddress,
  pause_ms = PAUSE_MS,
  check_ms = CHECK_MS,
): Listen {
  return async (channel, onPayload) => {
    const stopping = new AbortController();
    let client: Client | undefined;

    async function connect(): Promise<void> {
      const next = new Client({
        connectionString: connection,
        application_name: "video-rrd",
        connectionTimeoutMillis: check_ms,
        query_timeout: check_ms,
      });
      next.on("notification", ({ payload }) => onPayload(payload ?? ""));
      // "end" follows.
      next.on("error", () => {});
      try {
        await next.connect();
        await next.query(`LISTEN ${channel}`);
        stopping.signal.throwIfAborted();
      } catch (error) {
        await next.end();
        throw error;
      }
      // Not before: a connection that cannot be opened also ends, and would be opened again by two loops.
      next.once("end", () => void reconnect());
      client = next;
      void check(next);
    }

    /** Ends a connection that no longer replies; with a query in flight, its socket is destroyed at once. */
    async function check(open: Client): Promise<void> {
      try {
        for (;;) {
          await sleep(check_ms, undefined, { signal: stopping.signal, ref: false });
          await open.query("SELECT 1");
        }
      } catch {
        if (!stopping.signal.aborted) await open.end();
      }
    }

    async function reconnect(): Promise<void> {
      client = undefined;
      while (!stopping.signal.aborted) {
        await sleep(pause_ms, undefined, { signal: stopping.signal, ref: false }).catch(() => {});
        if (stopping.signal.aborted) return;
        try {
          return await connect();
        } catch {
          // The server is still away. Readers look again from time to time.
        }
      }
    }

    await connect().catch((error: unknown) => {
      // It may be in the middle of a restart.
      if (isLost(error)) return void reconnect();
      stopping.abort();
      throw postgresFailure(new NotConnected(error), "listening for changes");
    });
    return {
      async stop() {
        stopping.abort();
        const open = client;
        // A connection that was dropped silently never says that it ended.
        const late = setTimeout(() => open?.connection.stream.destroy(), pause_ms);
        await open?.end();
        clearTimeout(late);
      },
    };
  };
}
