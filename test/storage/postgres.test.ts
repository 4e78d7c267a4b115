import { randomUUID } from "node:crypto";
import { afterAll, beforeAll, describe, onTestFinished } from "vitest";
import { requireSharedRuns } from "../../evals/workers/require-shared-runs.ts";
import type { Store } from "../../src/core/contracts.ts";
import type { RateTable } from "../../src/core/rate-table.ts";
import { makeFolder } from "../../src/storage/make-folder.ts";
import { openStore } from "../../src/storage/open.ts";
import { temporaryFolder } from "../../src/storage/paths.ts";
import { createDatabase, type Driver } from "../../src/storage/postgres/database.ts";
import { createPool } from "../../src/storage/postgres/pool.ts";
import { createPostgresStore } from "../../src/storage/postgres/postgres-store.ts";
import { createRunResults } from "../../src/storage/postgres/runs/run-results.ts";
import { readPostgresAddress } from "../../src/storage/postgres/store-address.ts";
import { createPglite } from "../support/pglite-driver.ts";
import { postgresPrograms, startPostgres } from "../support/postgres-server.ts";
import { tempFolder } from "../support/temp.ts";
import { blobsInS3Contract } from "./contracts/blobs-in-s3.ts";
import { libraryContract } from "./contracts/library.ts";
import { memoContract } from "./contracts/memo.ts";
import { operationsContract } from "./contracts/operations.ts";
import { rateTableContract } from "./contracts/rate-table.ts";
import { replicasContract } from "./contracts/replicas.ts";
import { runResultsContract } from "./contracts/run-results.ts";
import { serviceStoreContract } from "./contracts/service-store.ts";
import { sharedRunsContract } from "./contracts/shared-runs.ts";
import { spendingContract } from "./contracts/spending.ts";
import { storeContract } from "./contracts/store.ts";

function allContracts(name: string, open: (folder: string) => Promise<Store>): void {
  memoContract(name, open);
  storeContract(name, open);
  serviceStoreContract(name, open);
  libraryContract(name, open);
  operationsContract(name, open);
  spendingContract(name, open, true);
  rateTableContract(name, async () => {
    const folder = await tempFolder();
    const [one, other] = [await open(folder), await open(folder)];
    return {
      one: one.rates as RateTable,
      other: other.rates as RateTable,
      async close() {
        await one.close();
        await other.close();
      },
    };
  });
}

/** Empties the tables of the store, which is faster than creating them for each test. Triggers stay off. */
const EMPTY = `SET session_replication_role = replica;
DO $$ DECLARE name text; BEGIN
  FOR name IN SELECT relname FROM pg_class WHERE relkind = 'r' AND relnamespace = current_schema()::regnamespace
    AND relname <> 'store_format' LOOP
    EXECUTE 'DELETE FROM ' || quote_ident(name);
  END LOOP;
END $$;
SET session_replication_role = origin`;

/** Opens stores in one schema, which is emptied for each new folder. */
function inOneSchema(driver: () => Driver, open: (folder: string) => Promise<Store>) {
  let current: string | undefined;
  return async (folder: string) => {
    if (current !== undefined && folder !== current) await driver().send(EMPTY, []);
    current = folder;
    return open(folder);
  };
}

describe.skipIf(postgresPrograms() === null && !process.env.CI)("PostgreSQL", () => {
  let address: string;
  let pool: Driver;
  beforeAll(async () => {
    address = (await startPostgres()).address("contracts");
    pool = createPool(readPostgresAddress(address));
    afterAll(pool.close);
  });
  const open = inOneSchema(
    () => pool,
    (folder) => openStore(folder, address),
  );
  allContracts("PostgreSQL", open);
  runResultsContract("PostgreSQL", async () => {
    const store = await openStore(await tempFolder(), address);
    onTestFinished(() => store.close());
    const run = randomUUID();
    return () => requireSharedRuns(store).results(run);
  });
  sharedRunsContract("PostgreSQL", open);
  replicasContract("PostgreSQL", open);
  blobsInS3Contract("PostgreSQL", (folder, blobs) => openStore(folder, address, blobs));
});

describe("PGlite", () => {
  const place = { schema: "video_rrd", shown: "PGlite" };
  let pglite: Awaited<ReturnType<typeof createPglite>>;
  beforeAll(async () => {
    pglite = await createPglite(place.schema);
  });
  afterAll(() => pglite.close());
  const open = inOneSchema(
    () => pglite.driver,
    async (folder) => {
      await makeFolder(temporaryFolder(folder));
      return createPostgresStore(pglite.driver, folder, place);
    },
  );
  allContracts("PGlite", open);
  runResultsContract("PGlite", async () => {
    await (await open(await tempFolder())).close();
    return () => createRunResults(createDatabase(pglite.driver), "r1", "PGlite");
  });
});
