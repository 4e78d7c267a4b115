import { atFileEnd } from "./file-end.ts";
import { type PostgresServer, startPostgresServer } from "./postgres-process.ts";

export type { PostgresServer } from "./postgres-process.ts";
export { postgresPrograms } from "./postgres-process.ts";

/** Starts a server; it ends with the test file, or with the process. */
export async function startPostgres(): Promise<PostgresServer> {
  const server = await startPostgresServer();
  atFileEnd(server.remove);
  return server;
}
