import { setTimeout as sleep } from "node:timers/promises";
import type { Store } from "../../core/contracts.ts";
import type { BlobPlace } from "../blobs/blob-place.ts";
import { createListen } from "./listener.ts";
import { createPool } from "./pool.ts";
import { isStarting, postgresFailure } from "./postgres-failure.ts";
import { createPostgresStore } from "./postgres-store.ts";
import type { LeaseTiming } from "./processes.ts";
import { createRunJobs } from "./runs/jobs.ts";
import { checkSessions } from "./session-mode.ts";
import { readPostgresAddress } from "./store-address.ts";

/** A server that is starting is waited for; one that does not reply at all is probably a wrong address. */
const STARTING_MS = 30_000;
const PAUSE_MS = 200;

/**
 * Opens a store with its rows in PostgreSQL and its files in `root`, except for those in `blobs`. Throws `Failure`:
 * `wrong-usage`, `store-unreachable` (also the login or the database), `store-format`.
 */
export async function openPostgresStore(
  root: string,
  address: string,
  timing?: LeaseTiming,
  blobs: BlobPlace | null = null,
): Promise<Store> {
  const place = readPostgresAddress(address);
  const driver = createPool(place);
  const doing = `opening ${place.shown}`;
  try {
    for (const until = performance.now() + STARTING_MS; ; await sleep(PAUSE_MS)) {
      try {
        await driver.send("SELECT 1", []);
        break;
      } catch (error) {
        if (!isStarting(error) || performance.now() > until) throw error;
      }
    }
    await checkSessions(driver, place);
    return await createPostgresStore(driver, root, place, {
      timing,
      blobs,
      listen: createListen(place),
      jobs: createRunJobs(place),
    });
  } catch (error) {
    await driver.close();
    throw postgresFailure(error, doing);
  }
}
