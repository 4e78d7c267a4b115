import { Failure } from "../../core/errors.ts";
import type { Send } from "./database.ts";
import type { PostgresPool } from "./pool.ts";
import type { PostgresAddress } from "./store-address.ts";

/** Other programs that use a pooler at the same time can hide once that sessions are shared. */
const ROUNDS = 3;

/**
 * Checks that each connection has a session of its own: the schema of a store is set for a session, and in another session
 * a statement would use the tables of another store. Throws `Failure` `store-format` for a pooler in transaction mode.
 */
export async function checkSessions(
  pool: PostgresPool,
  { shown }: Pick<PostgresAddress, "shown">,
): Promise<void> {
  await pool.hold((first) =>
    pool.hold(async (second) => {
      const session = await sessionOf(first);
      for (let round = 0; round < ROUNDS; round++) {
        // A pooler that takes turns gives the first connection another session. Any other one gives its session to the second.
        const isKept = (await sessionOf(first)) === session;
        if (isKept && (await sessionOf(second)) !== session) continue;
        throw new Failure(
          "store-format",
          `Connections to ${shown} share sessions of the server, as through a pooler in transaction mode. Connect directly or through a pooler in session mode.`,
        );
      }
    }),
  );
}

async function sessionOf(send: Send): Promise<unknown> {
  return (await send("SELECT pg_backend_pid() AS session", [])).rows[0]?.session;
}
