import { Failure } from "../../core/errors.ts";

/** The schema that holds the tables of a store, unless the address names another with `?schema=`. */
const SCHEMA = "video_rrd";
const SCHEMA_NAME = /^[a-z_][a-z0-9_]{0,62}$/;

/** Where a store is, in PostgreSQL. */
export interface PostgresAddress {
  /** For the client, with the password. Never show it. */
  connection: string;
  schema: string;
  /** For messages: without user, password and options. */
  shown: string;
}

/**
 * Reads `postgres://user:password@host:port/database?schema=video_rrd`; other parameters are for the client, such as
 * `sslmode`. Throws `Failure` `wrong-usage`.
 */
export function readPostgresAddress(address: string): PostgresAddress {
  let url: URL;
  try {
    url = new URL(address);
  } catch {
    throw invalid("it is not an address");
  }
  if (url.pathname.length < 2) throw invalid("it names no database");
  const schema = url.searchParams.get("schema") ?? SCHEMA;
  if (!SCHEMA_NAME.test(schema))
    throw invalid(`${JSON.stringify(schema)} is not a schema of lower-case letters and digits`);
  url.searchParams.delete("schema");
  const host = url.searchParams.get("host") || url.host || "localhost";
  return {
    connection: url.href,
    schema,
    shown: `postgres://${decodeURIComponent(host)}${url.pathname}`,
  };
}

/** The address itself is not shown: it may hold a password. */
function invalid(why: string): Failure {
  return new Failure("wrong-usage", `Invalid --store: ${why}. Use postgres://user@host/database.`);
}
