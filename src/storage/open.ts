import { existsSync } from "node:fs";
import { rm } from "node:fs/promises";
import { join, resolve } from "node:path";
import { DatabaseSync } from "node:sqlite";
import type { Store } from "../core/contracts.ts";
import { Failure } from "../core/errors.ts";
import { makeFolder } from "./make-folder.ts";
import { checkHash, derivedFolder, restoreMarker, temporaryFolder } from "./paths.ts";
import { createAuditLog } from "./sqlite/audit.ts";
import { createBlobs } from "./sqlite/blobs.ts";
import { createCatalogue } from "./sqlite/catalogue.ts";
import { createDamagedRows } from "./sqlite/damaged-rows.ts";
import { createDerivedSize } from "./sqlite/derived-size.ts";
import { createEvents } from "./sqlite/events.ts";
import { createLibraryIndex } from "./sqlite/library.ts";
import { createMemo } from "./sqlite/memo.ts";
import { createRemoteFiles } from "./sqlite/remote-files.ts";
import { BUSY_TIMEOUT_MS, prepareDatabase } from "./sqlite/schema.ts";
import { createServiceStore } from "./sqlite/service-store.ts";
import { guard, storeFailure } from "./sqlite/transaction.ts";
import { createWebhookQueue } from "./sqlite/webhook-queue.ts";
import { createWriteQueue } from "./sqlite/write-queue.ts";
import { sweepTemporary } from "./temporary.ts";

/**
 * Opens the store in `folder` and creates the folder if it is missing. Any number of processes may share it.
 * Throws `Failure`: `store-busy` (a backup is being restored into it), `store-format` (a newer store, another program's database), `store-damaged`, `file-unreadable`,
 * `disk-full`.
 */
export async function openStore(folder: string): Promise<Store> {
  const root = resolve(folder);
  checkRestored(root);
  await makeFolder(temporaryFolder(root));
  const file = join(root, "store.db");
  const db = guard(`opening ${file}`, () => new DatabaseSync(file, { timeout: BUSY_TIMEOUT_MS }));
  try {
    await prepareDatabase(db, file);
    await sweepTemporary(root);
    return createStore(db, root);
  } catch (error) {
    db.close();
    throw storeFailure(error, `opening ${file}`);
  }
}

function checkRestored(root: string): void {
  if (!existsSync(restoreMarker(root))) return;
  throw new Failure(
    "store-busy",
    `A restore into ${root} has not ended. Run the same \`video-rrd restore\` again, or choose another folder.`,
    { folder: root },
  );
}

function createStore(db: DatabaseSync, root: string): Store {
  const queue = createWriteQueue(db);
  const memo = createMemo(db, queue);
  const blobs = createBlobs(db, root);
  const events = createEvents(db, queue);
  const catalogue = createCatalogue(db, queue);
  const serviceStore = createServiceStore(db);
  const remoteFiles = createRemoteFiles(db);
  return {
    folder: root,
    memo,
    blobs,
    events,
    catalogue,
    service: serviceStore,
    remoteFiles,
    library: createLibraryIndex(db),
    audit: createAuditLog(db),
    webhooks: createWebhookQueue(db),
    ...createDamagedRows(db),
    ...createDerivedSize(db, root),
    async derived(video) {
      const path = derivedFolder(root, video);
      await makeFolder(path);
      return path;
    },
    async forget(video) {
      checkHash(video, "the hash of a video");
      // The catalogue is last: it lists the questions, if this is interrupted and called again.
      await memo.forget(video);
      await blobs.forget(video);
      await rm(derivedFolder(root, video), { recursive: true, force: true });
      await serviceStore.forget(video);
      for (const { id } of await catalogue.questions(video)) await events.forget(id);
      for (const id of await catalogue.forget(video)) await events.forget(id);
      // Forgotten rows remain in the write-ahead log until it is checkpointed and truncated.
      guard("forgetting a video", () => db.exec("PRAGMA wal_checkpoint(TRUNCATE)"));
    },
    async close() {
      if (!db.isOpen) return;
      try {
        queue.flush();
        memo.close();
      } finally {
        db.close();
      }
    },
  };
}
