import type { Store } from "../../core/contracts.ts";
import { createTurns } from "../../core/turns.ts";
import type { BlobPlace } from "../blobs/blob-place.ts";
import { openOwnedBlobs, removeUnownedBlobs } from "../blobs/open-owned-blobs.ts";
import { createVideoFiles } from "../blobs/video-files.ts";
import { dropDerived, forgetVideo, makeDerivedFolder } from "../forget-video.ts";
import { createAuditLog } from "./audit.ts";
import { createBlobRows } from "./blob-rows.ts";
import { createBlobs } from "./blobs.ts";
import { createCatalogue } from "./catalogue.ts";
import { createClaims } from "./claims.ts";
import { createDamagedRows } from "./damaged-rows.ts";
import { createDatabase, type Driver } from "./database.ts";
import { createDerivedSize } from "./derived-size.ts";
import { createEvents } from "./events.ts";
import { createLibraryIndex } from "./library.ts";
import type { Listen } from "./listener.ts";
import { createMemo } from "./memo.ts";
import { createProcesses, type LeaseTiming, sweepProcesses } from "./processes.ts";
import { createRateTable } from "./rate-table.ts";
import { createRemoteFiles } from "./remote-files.ts";
import { createReplicas } from "./replicas.ts";
import type { RunJobs } from "./runs/jobs.ts";
import { createSharedRuns } from "./runs/shared-runs.ts";
import { prepareSchema } from "./schema.ts";
import { createServiceStore } from "./service-store.ts";
import { createSpendingAccounts } from "./spending-accounts.ts";
import type { PostgresAddress } from "./store-address.ts";
import { createVideoFileRows } from "./video-file-rows.ts";
import { createWebhookQueue } from "./webhook-queue.ts";

/** Opens a store whose rows are behind `driver` and whose files are in the folder `root`. */
export async function createPostgresStore(
  driver: Driver,
  root: string,
  place: Pick<PostgresAddress, "schema" | "shown">,
  {
    timing,
    listen,
    blobs: blobPlace = null,
    jobs,
  }: {
    timing?: LeaseTiming | undefined;
    listen?: Listen;
    blobs?: BlobPlace | null;
    jobs?: RunJobs;
  } = {},
): Promise<Store> {
  const db = createDatabase(driver);
  await prepareSchema(db, place);
  await sweepProcesses(db);
  const processes = createProcesses(db, timing);
  const memo = createMemo(db, processes);
  const claims = createClaims(db, processes);
  const owned = blobPlace === null ? null : openOwnedBlobs(createBlobRows(db), blobPlace, root);
  const blobs = owned ?? createBlobs(db, root);
  const files =
    owned === null ? null : createVideoFiles(createVideoFileRows(db), owned, createTurns(claims));
  const events = createEvents(db, place.schema, listen === undefined ? null : processes.id, listen);
  const catalogue = createCatalogue(db);
  const service = createServiceStore(db);
  const runs =
    jobs === undefined ? undefined : createSharedRuns(db, jobs, place, listen, processes.id);
  let closing: Promise<void> | undefined;
  return {
    folder: root,
    memo,
    blobs,
    events,
    catalogue,
    service,
    remoteFiles: createRemoteFiles(db, processes),
    library: createLibraryIndex(db),
    audit: createAuditLog(db),
    webhooks: createWebhookQueue(db),
    rates: createRateTable(db),
    spending: createSpendingAccounts(db, processes),
    ...(runs === undefined ? {} : { runs }),
    ...createDamagedRows(db),
    ...createDerivedSize(db, root, owned, files),
    removeUnownedBlobs: removeUnownedBlobs(owned),
    cleanBlobCache: async () => owned?.cleanCache(),
    derived: (video) => makeDerivedFolder(root, video),
    dropDerived: (video) => dropDerived(files, root, video),
    files,
    claims,
    replicas: listen === undefined ? null : createReplicas(db, processes, place.schema, listen),
    forget: (video) => forgetVideo({ memo, blobs, events, catalogue, service, files }, root, video),
    close() {
      closing ??= (async () => {
        memo.close();
        owned?.close();
        await runs?.close();
        // If the database is gone, the leases expire.
        await db.close(processes.close);
      })();
      return closing;
    },
  };
}
