import { Failure } from "../../core/errors.ts";
import type { Database } from "./database.ts";
import { MIGRATIONS } from "./migrations.ts";
import type { PostgresAddress } from "./store-address.ts";

/** Version of the layout of the schema and the folder. */
export const FORMAT = MIGRATIONS.length;

/** The first version with `gen_random_uuid`. */
const OLDEST_SERVER = 130_000;

const DOING = "preparing the store";

const CURRENT = "SELECT current_schema() AS current";

type Place = Pick<PostgresAddress, "schema" | "shown">;

/**
 * Creates the tables in an empty schema, or checks existing ones and upgrades an older layout. An advisory lock admits one
 * process at a time. Throws `Failure` `store-format` for a newer layout, another program's schema, a database that is not
 * in UTF-8, an old server, and connections that do not use the schema.
 */
export async function prepareSchema(database: Database, place: Place): Promise<void> {
  const { schema } = place;
  const read = (rows: Record<string, unknown>[]) => checkServer(rows[0] ?? {}, place);
  const [sql, values] = facts(schema);
  if (read(await database.rows(DOING, sql, values))) {
    checkCurrent(await database.rows(DOING, CURRENT), place);
    if ((await formatOf(database, place)) === FORMAT) return;
  }
  await database.transaction(DOING, async (send) => {
    await send("SELECT pg_advisory_xact_lock(hashtextextended('video-rrd ' || $1, 0))", [schema]);
    const prepared = read((await send(sql, values)).rows);
    await send(`CREATE SCHEMA IF NOT EXISTS ${schema}`, []);
    checkCurrent((await send(CURRENT, [])).rows, place);
    const format = prepared
      ? checkFormat((await send("SELECT format FROM store_format", [])).rows, place)
      : 0;
    if (format === FORMAT) return;
    for (const migration of MIGRATIONS.slice(format)) await send(migration, []);
    await send("DELETE FROM store_format", []);
    await send("INSERT INTO store_format (format) VALUES ($1)", [FORMAT]);
  });
}

function facts(schema: string): [string, string[]] {
  return [
    `SELECT current_setting('server_encoding') AS encoding, current_setting('server_version_num')::int AS version,
       current_setting('server_version') AS version_name,
       to_regclass($1 || '.store_format') IS NOT NULL AS prepared,
       EXISTS (SELECT 1 FROM pg_class JOIN pg_namespace AS space ON space.oid = relnamespace WHERE nspname = $1) AS used`,
    [schema],
  ];
}

/** Whether the schema is that of a store. */
function checkServer(row: Record<string, unknown>, { schema, shown }: Place): boolean {
  if (Number(row.version) < OLDEST_SERVER)
    throw refusal(
      `${shown} runs PostgreSQL ${row.version_name}; the store needs version 13 or newer.`,
    );
  if (row.encoding !== "UTF8")
    throw refusal(
      `The database ${shown} uses the encoding ${row.encoding}. Create one with \`createdb --encoding=UTF8 --template=template0\`.`,
    );
  if (row.used && !row.prepared)
    throw refusal(
      `The schema ${schema} of ${shown} is not a store of video-rrd but another program's. Choose another database, or another schema with ?schema=NAME.`,
    );
  return Boolean(row.prepared);
}

/** The statements name tables without their schema: in another one they would not be those of this store. */
function checkCurrent(rows: Record<string, unknown>[], { schema, shown }: Place): void {
  const { current } = rows[0] ?? {};
  if (current === schema) return;
  throw refusal(
    `A connection to ${shown} uses the schema ${current ?? "(none)"} instead of ${schema}. Connect directly or through a pooler in session mode, and let the user of --store use the schema.`,
    { schema, current },
  );
}

async function formatOf(database: Database, place: Place): Promise<number> {
  return checkFormat(await database.rows(DOING, "SELECT format FROM store_format"), place);
}

function checkFormat(rows: Record<string, unknown>[], { schema, shown }: Place): number {
  const format = Number(rows[0]?.format ?? 0);
  if (format <= FORMAT) return format;
  throw refusal(
    `The schema ${schema} of ${shown} has format ${format}; this version of video-rrd reads formats up to ${FORMAT}. Use the version that wrote it, or another database.`,
    { format, expected: FORMAT },
  );
}

function refusal(message: string, more: Record<string, unknown> = {}): Failure {
  return new Failure("store-format", message, more);
}
