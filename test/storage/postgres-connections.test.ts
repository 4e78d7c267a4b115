import { beforeAll, describe, expect, onTestFinished, test } from "vitest";
import { openStore } from "../../src/storage/open.ts";
import { createDatabase, type Database } from "../../src/storage/postgres/database.ts";
import { createPool } from "../../src/storage/postgres/pool.ts";
import { prepareSchema } from "../../src/storage/postgres/schema.ts";
import { readPostgresAddress } from "../../src/storage/postgres/store-address.ts";
import {
  type PostgresServer,
  postgresPrograms,
  startPostgres,
} from "../support/postgres-server.ts";
import { tempFolder } from "../support/temp.ts";

describe.skipIf(postgresPrograms() === null && !process.env.CI)("connections to PostgreSQL", () => {
  let server: PostgresServer;
  beforeAll(async () => {
    server = await startPostgres();
  });

  /** A database of its own connections, closed with the test. */
  function connect(address: string): Database {
    const db = createDatabase(createPool(readPostgresAddress(address)));
    onTestFinished(() => db.close());
    return db;
  }

  test("tables are in the schema of the store, and the options of the address stay", async () => {
    const options = encodeURIComponent("-c search_path=public -c work_mem=7MB");
    const address = `${server.address("options")}&options=${options}`;
    await (await openStore(await tempFolder(), address)).close();
    const db = connect(address);
    expect(
      await db.rows(
        "test",
        `SELECT table_schema AS schema, current_setting('work_mem') AS work_mem
         FROM information_schema.tables WHERE table_name = 'store_format'`,
      ),
    ).toEqual([{ schema: server.schema("options"), work_mem: "7MB" }]);
  });

  test("connections that use another schema are refused, before and after the tables are made", async () => {
    const place = readPostgresAddress(server.address("right"));
    const wrong = connect(server.address("wrong"));
    const refused = {
      kind: "store-format",
      message: expect.stringContaining(
        `uses the schema (none) instead of ${place.schema}. Connect`,
      ),
    };
    await expect(prepareSchema(wrong, place)).rejects.toMatchObject(refused);
    const found = "SELECT to_regclass($1 || '.store_format') AS found";
    expect(await wrong.row("test", found, [place.schema])).toEqual({ found: null });
    await prepareSchema(connect(server.address("right")), place);
    await expect(prepareSchema(wrong, place)).rejects.toMatchObject(refused);
  });
});
