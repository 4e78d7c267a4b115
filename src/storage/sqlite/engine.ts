import { join } from "node:path";
import { DatabaseSync } from "node:sqlite";
import type { Store } from "../../core/contracts.ts";
import { createTurns } from "../../core/turns.ts";
import type { BlobPlace } from "../blobs/blob-place.ts";
import { openOwnedBlobs, removeUnownedBlobs } from "../blobs/open-owned-blobs.ts";
import { createVideoFiles } from "../blobs/video-files.ts";
import type { StoreEngine } from "../engine.ts";
import { dropDerived, forgetVideo, makeDerivedFolder } from "../forget-video.ts";
import { createAuditLog } from "./audit.ts";
import { createBlobRows } from "./blob-rows.ts";
import { createBlobs } from "./blobs.ts";
import { createCatalogue } from "./catalogue.ts";
import { checkPermission } from "./check-permission.ts";
import { createDamagedRows } from "./damaged-rows.ts";
import { createDerivedSize } from "./derived-size.ts";
import { createEvents } from "./events.ts";
import { createLibraryIndex } from "./library.ts";
import { createMemo } from "./memo.ts";
import { createRemoteFiles } from "./remote-files.ts";
import { BUSY_TIMEOUT_MS, prepareDatabase } from "./schema.ts";
import { createServiceStore } from "./service-store.ts";
import { guard, storeFailure } from "./transaction.ts";
import { createVideoFileRows } from "./video-file-rows.ts";
import { createWebhookQueue } from "./webhook-queue.ts";
import { createWriteQueue } from "./write-queue.ts";

/** SQLite in the data folder, for one machine. */
export const sqliteEngine: StoreEngine = {
  form: null,
  accepts: (address) => address === null,
  async open(root, _address, place) {
    const file = join(root, "store.db");
    checkPermission(file);
    const db = guard(`opening ${file}`, () => new DatabaseSync(file, { timeout: BUSY_TIMEOUT_MS }));
    try {
      await prepareDatabase(db, file);
      return createStore(db, root, place);
    } catch (error) {
      db.close();
      // SQLite adds files to the folder.
      checkPermission(root);
      throw storeFailure(error, `opening ${file}`);
    }
  },
};

function createStore(db: DatabaseSync, root: string, place: BlobPlace | null): Store {
  const queue = createWriteQueue(db);
  const memo = createMemo(db, queue);
  const rows = createBlobRows(db, root);
  const owned = place === null ? null : openOwnedBlobs(rows, place, root);
  const blobs = owned ?? createBlobs(db, root);
  const files =
    owned === null ? null : createVideoFiles(createVideoFileRows(db), owned, createTurns());
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
    ...createDerivedSize(db, root, owned, files),
    removeUnownedBlobs: removeUnownedBlobs(owned),
    cleanBlobCache: async () => owned?.cleanCache(),
    derived: (video) => makeDerivedFolder(root, video),
    dropDerived: (video) => dropDerived(files, root, video),
    files,
    claims: null,
    replicas: null,
    async forget(video) {
      const parts = { memo, blobs, events, catalogue, service: serviceStore, files };
      await forgetVideo(parts, root, video);
      // Forgotten rows remain in the write-ahead log until it is checkpointed and truncated.
      guard("forgetting a video", () => db.exec("PRAGMA wal_checkpoint(TRUNCATE)"));
    },
    async close() {
      if (!db.isOpen) return;
      try {
        queue.flush();
        memo.close();
      } finally {
        owned?.close();
        rows.close();
        db.close();
      }
    },
  };
}
