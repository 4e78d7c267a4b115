import { existsSync } from "node:fs";
import { rm } from "node:fs/promises";
import type { DatabaseSync } from "node:sqlite";
import type { Blobs } from "../../core/contracts.ts";
import { toFailure } from "../../core/errors.ts";
import { sha256 } from "../../core/hash.ts";
import { placeFile, readBlob, removeFile, sizeOf, unknownBlob, writeWhole } from "../blob-files.ts";
import { blobPath, checkHash, checkType } from "../paths.ts";
import { temporaryPath } from "../temporary.ts";
import { guard, transaction } from "./transaction.ts";

/** Files removed per transaction, so that a large video does not block other processes. */
const FORGET_AT_ONCE = 200;

/**
 * Files under `blobs/`, and a row for each video that owns one.
 * A row is written before its file and deleted after it, both under SQLite's write lock: even if a process is killed,
 * every file has a row, and `forget` finds it.
 */
export function createBlobs(db: DatabaseSync, folder: string): Blobs {
  const typeOf = db.prepare("SELECT type FROM blobs WHERE hash = ? LIMIT 1");
  const owners = db.prepare("SELECT video FROM blobs WHERE hash = ? ORDER BY video");
  const owned = db.prepare("SELECT 1 FROM blobs WHERE hash = ? AND video = ?");
  const own = db.prepare("INSERT OR IGNORE INTO blobs (hash, video, type) VALUES (?, ?, ?)");
  const some = db.prepare("SELECT hash, type FROM blobs WHERE video = ? LIMIT ?");
  const disown = db.prepare("DELETE FROM blobs WHERE hash = ? AND video = ?");

  /** Path of the blob's file, with the file extension of the first `put`. */
  function placeOf(hash: string): string | undefined {
    const row = guard("looking up a blob", () => typeOf.get(hash));
    return row === undefined ? undefined : blobPath(folder, hash, String(row.type));
  }

  /** Claims the file for the video; true if the file exists already. */
  function claim(video: string, hash: string, type: string, size: number): boolean {
    const path = placeOf(hash);
    const there = path !== undefined && sizeOf(path) === size;
    if (there && guard("looking up a blob", () => owned.get(hash, video)) !== undefined)
      return true;
    return transaction(db, "noting a blob", () => {
      const known = placeOf(hash);
      own.run(hash, video, known === undefined ? type : String(typeOf.get(hash)?.type));
      return known !== undefined && sizeOf(known) === size;
    });
  }

  /** Moves the file to its path; false if the video and its claim were forgotten in the meantime. */
  function settle(temporary: string, video: string, hash: string): boolean {
    return transaction(db, "placing a blob", () => {
      const path = placeOf(hash);
      if (path === undefined || owned.get(hash, video) === undefined) return false;
      placeFile(temporary, path);
      return true;
    });
  }

  function found(hash: string): string {
    const path = placeOf(checkHash(hash, "the hash of a blob"));
    if (path !== undefined && existsSync(path)) return path;
    throw unknownBlob(hash);
  }

  return {
    async put(video, bytes, type) {
      checkHash(video, "the hash of a video");
      checkType(type);
      const hash = sha256(bytes);
      const temporary = temporaryPath(folder);
      try {
        if (!claim(video, hash, type, bytes.byteLength)) {
          await writeWhole(temporary, bytes);
          while (!settle(temporary, video, hash)) claim(video, hash, type, bytes.byteLength);
        }
      } catch (error) {
        await rm(temporary, { force: true });
        throw toFailure(error, "file-unreadable", `keeping a blob of ${bytes.byteLength} bytes`);
      }
      return { hash, path: found(hash) };
    },
    async path(hash) {
      return found(hash);
    },
    async read(hash) {
      return readBlob(found(hash), hash);
    },
    async owners(hash) {
      return guard("looking up a blob", () => owners.all(hash)).map((row) => String(row.video));
    },
    async forget(video) {
      checkHash(video, "the hash of a video");
      while (forgetSome(video) === FORGET_AT_ONCE) await new Promise(setImmediate);
    },
  };

  function forgetSome(video: string): number {
    return transaction(db, "forgetting blobs", () => {
      const rows = some.all(video, FORGET_AT_ONCE);
      for (const row of rows) {
        const hash = String(row.hash);
        disown.run(hash, video);
        if (placeOf(hash) === undefined) removeFile(blobPath(folder, hash, String(row.type)));
      }
      return rows.length;
    });
  }
}
