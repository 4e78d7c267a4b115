import type { BlobName, BlobRows } from "../blobs/blob-rows.ts";
import type { Database } from "./database.ts";

const SOME = "SELECT hash, type FROM blobs WHERE video = $1 ORDER BY hash LIMIT $2";
const OWNED = `SELECT DISTINCT hash FROM blobs
  WHERE hash = ANY($1::text[]) AND ($2::text IS NULL OR video <> $2::text)`;

/** The rows of blobs whose bytes are outside the data folder. A lock of each hash orders claims and removals. */
export function createBlobRows(db: Database): BlobRows {
  const without = (blobs: readonly BlobName[], rows: readonly Record<string, unknown>[]) => {
    const owned = new Set(rows.map(({ hash }) => String(hash)));
    return blobs.filter(({ hash }) => !owned.has(hash));
  };
  return {
    async claim(video, hash, type) {
      const sql = "SELECT claim_blob($1, $2, $3) AS type";
      return String((await db.row("noting a blob", sql, [hash, video, type]))?.type);
    },
    async typeOf(hash) {
      const sql = "SELECT type FROM blobs WHERE hash = $1 LIMIT 1";
      const row = await db.row("looking up a blob", sql, [hash]);
      return row === undefined ? undefined : String(row.type);
    },
    async owns(video, hash) {
      const sql = "SELECT 1 FROM blobs WHERE hash = $1 AND video = $2";
      return (await db.row("looking up a blob", sql, [hash, video])) !== undefined;
    },
    async owners(hash) {
      const sql = "SELECT video FROM blobs WHERE hash = $1 ORDER BY video";
      return (await db.rows("looking up a blob", sql, [hash])).map(({ video }) => String(video));
    },
    async some(video, limit) {
      const rows = await db.rows("looking up blobs", SOME, [video, limit]);
      return rows.map(({ hash, type }) => ({ hash: String(hash), type: String(type) }));
    },
    async unowned(blobs, video) {
      const hashes = blobs.map(({ hash }) => hash);
      return without(blobs, await db.rows("looking up blobs", OWNED, [hashes, video]));
    },
    async release(blobs, video, remove) {
      const hashes = blobs.map(({ hash }) => hash).sort();
      await db.transaction("removing blobs", async (send) => {
        for (const hash of hashes) await send("SELECT lock_blob($1)", [hash]);
        const unowned = without(blobs, (await send(OWNED, [hashes, video])).rows);
        await remove(unowned);
        if (video === null) return;
        await send("DELETE FROM blobs WHERE video = $1 AND hash = ANY($2::text[])", [
          video,
          hashes,
        ]);
      });
    },
  };
}
