import type { DatabaseSync } from "node:sqlite";
import type { BlobName, BlobRows } from "../blobs/blob-rows.ts";
import { createRemovalLock } from "./removal-lock.ts";
import { guard, transaction } from "./transaction.ts";

/** The rows of blobs whose bytes are outside the data folder `folder`. */
export function createBlobRows(db: DatabaseSync, folder: string): BlobRows & { close(): void } {
  const type = db.prepare("SELECT type FROM blobs WHERE hash = ? LIMIT 1");
  const owners = db.prepare("SELECT video FROM blobs WHERE hash = ? ORDER BY video");
  const owned = db.prepare("SELECT 1 FROM blobs WHERE hash = ? AND video = ?");
  const other = db.prepare("SELECT 1 FROM blobs WHERE hash = ?1 AND video IS NOT ?2 LIMIT 1");
  const own = db.prepare("INSERT OR IGNORE INTO blobs (hash, video, type) VALUES (?, ?, ?)");
  const some = db.prepare("SELECT hash, type FROM blobs WHERE video = ? ORDER BY hash LIMIT ?");
  const disown = db.prepare("DELETE FROM blobs WHERE hash = ? AND video = ?");
  const lock = createRemovalLock(folder);

  function typeNow(hash: string): string | undefined {
    const row = guard("looking up a blob", () => type.get(hash));
    return row === undefined ? undefined : String(row.type);
  }
  const unownedNow = (blobs: readonly BlobName[], video: string | null): BlobName[] =>
    guard("looking up blobs", () => blobs.filter(({ hash }) => !other.get(hash, video)));

  return {
    claim: (video, hash, given) =>
      lock.hold(() =>
        transaction(db, "noting a blob", () => {
          const known = typeNow(hash) ?? given;
          own.run(hash, video, known);
          return known;
        }),
      ),
    typeOf: async (hash) => typeNow(hash),
    async owns(video, hash) {
      return guard("looking up a blob", () => owned.get(hash, video)) !== undefined;
    },
    async owners(hash) {
      return guard("looking up a blob", () => owners.all(hash)).map((row) => String(row.video));
    },
    async some(video, limit) {
      const rows = guard("looking up blobs", () => some.all(video, limit));
      return rows.map((row) => ({ hash: String(row.hash), type: String(row.type) }));
    },
    unowned: async (blobs, video) => unownedNow(blobs, video),
    release: (blobs, video, remove) =>
      lock.hold(async () => {
        await remove(unownedNow(blobs, video));
        if (video === null) return;
        transaction(db, "forgetting blobs", () => {
          for (const { hash } of blobs) disown.run(hash, video);
        });
      }),
    close: lock.close,
  };
}
