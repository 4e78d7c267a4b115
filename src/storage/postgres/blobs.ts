import { existsSync } from "node:fs";
import { rm } from "node:fs/promises";
import type { Blobs } from "../../core/contracts.ts";
import { toFailure } from "../../core/errors.ts";
import { sha256 } from "../../core/hash.ts";
import { placeFile, readBlob, removeFile, sizeOf, unknownBlob, writeWhole } from "../blob-files.ts";
import { blobPath, checkHash, checkType } from "../paths.ts";
import { temporaryPath } from "../temporary.ts";
import type { Database } from "./database.ts";

/** Files removed per transaction, so that a large video does not block other processes. */
const FORGET_AT_ONCE = 200;

/**
 * Files under `blobs/`, and a row for each video that owns one. A row is written before its file and deleted after it, both
 * under a lock of the hash: even if a process is killed, every file has a row, and `forget` finds it.
 */
export function createBlobs(db: Database, folder: string): Blobs {
  /** Claims the file for the video, and returns its path, with the file extension of the first `put`. */
  async function claim(video: string, hash: string, type: string): Promise<string> {
    const row = await db.row("noting a blob", "SELECT claim_blob($1, $2, $3) AS type", [
      hash,
      video,
      type,
    ]);
    return blobPath(folder, hash, String(row?.type));
  }

  /** Moves the file to its path; false if the video and its claim were forgotten in the meantime. */
  function settle(temporary: string, video: string, hash: string): Promise<boolean> {
    return db.transaction("placing a blob", async (send) => {
      await send("SELECT lock_blob($1)", [hash]);
      const sql = "SELECT type FROM blobs WHERE hash = $1 AND video = $2";
      const row = (await send(sql, [hash, video])).rows[0];
      if (row === undefined) return false;
      const path = blobPath(folder, hash, String(row.type));
      // A repeated transaction has moved it already.
      if (existsSync(temporary)) placeFile(temporary, path);
      return true;
    });
  }

  async function found(hash: string): Promise<string> {
    const sql = "SELECT type FROM blobs WHERE hash = $1 LIMIT 1";
    const row = await db.row("looking up a blob", sql, [checkHash(hash, "the hash of a blob")]);
    const path = row === undefined ? undefined : blobPath(folder, hash, String(row.type));
    if (path !== undefined && existsSync(path)) return path;
    throw unknownBlob(hash);
  }

  /** Removes some blobs of a video. Returns how many were left to remove, up to the limit. */
  function forgetSome(video: string): Promise<number> {
    return db.transaction("forgetting blobs", async (send) => {
      const owned = "SELECT hash, type FROM blobs WHERE video = $1 ORDER BY hash LIMIT $2";
      const { rows } = await send(owned, [video, FORGET_AT_ONCE]);
      for (const row of rows) {
        const hash = String(row.hash);
        await send("SELECT lock_blob($1)", [hash]);
        await send("DELETE FROM blobs WHERE hash = $1 AND video = $2", [hash, video]);
        const { count } = await send("SELECT 1 FROM blobs WHERE hash = $1 LIMIT 1", [hash]);
        if (count === 0) removeFile(blobPath(folder, hash, String(row.type)));
      }
      return rows.length;
    });
  }

  return {
    async put(video, bytes, type) {
      checkHash(video, "the hash of a video");
      checkType(type);
      const hash = sha256(bytes);
      const temporary = temporaryPath(folder);
      try {
        const path = await claim(video, hash, type);
        if (sizeOf(path) !== bytes.byteLength) {
          await writeWhole(temporary, bytes);
          while (!(await settle(temporary, video, hash))) await claim(video, hash, type);
        }
      } catch (error) {
        await rm(temporary, { force: true });
        throw toFailure(error, "file-unreadable", `keeping a blob of ${bytes.byteLength} bytes`);
      }
      return { hash, path: await found(hash) };
    },
    path: found,
    async read(hash) {
      return readBlob(await found(hash), hash);
    },
    async owners(hash) {
      const sql = "SELECT video FROM blobs WHERE hash = $1 ORDER BY video";
      const rows = await db.rows("looking up a blob", sql, [hash]);
      return rows.map((row) => String(row.video));
    },
    async forget(video) {
      checkHash(video, "the hash of a video");
      while ((await forgetSome(video)) === FORGET_AT_ONCE);
    },
  };
}
