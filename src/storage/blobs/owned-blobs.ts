import { stat } from "node:fs/promises";
import type { Blobs, UnownedBlobs } from "../../core/contracts.ts";
import { Failure } from "../../core/errors.ts";
import { hashFile, sha256 } from "../../core/hash.ts";
import { unknownBlob } from "../blob-files.ts";
import { checkHash, checkType } from "../paths.ts";
import type { BlobBytes, StoredBytes } from "./blob-bytes.ts";
import { blobKey, hashOfKey } from "./blob-bytes.ts";
import type { BlobCache } from "./blob-cache.ts";
import type { BlobName, BlobRows } from "./blob-rows.ts";

/** Blobs that are removed under one lock, so that a `put` of one of them waits for a short time only. */
const REMOVED_AT_ONCE = 32;

/** Blobs that are looked up in one statement. */
const LISTED_AT_ONCE = 500;

/** Sizes of blobs that are remembered. A blob never changes. */
const KNOWN_SIZES = 100_000;

/** What a store needs of blobs whose bytes are outside its data folder. */
export interface OwnedBlobs extends Blobs {
  /** As `put`, for a file with this hash, which never changes. */
  putFile(video: string, path: string, hash: string, type: string): Promise<void>;
  /** Bytes of a blob from `start` to before `end`, which are not checked. Throws `Failure` `not-found`. */
  readRange(hash: string, start: number, end: number): Promise<Uint8Array>;
  /** Ends that the video owns the blob. */
  release(video: string, hash: string): Promise<void>;
  /** Bytes of a blob; 0 if they are missing. */
  size(hash: string, type: string): Promise<number>;
  removeUnowned(before_ms: number, dryRun: boolean): Promise<UnownedBlobs>;
  /** Removes local copies of blobs that no video owns any more: another machine may have forgotten it. */
  cleanCache(): Promise<void>;
  close(): void;
}

/**
 * Blobs whose rows and bytes are in two places. A row is written before the bytes and removed after them, so that killed
 * processes leave at most a row without bytes. Bytes without a row can only be left by a `put` that a `forget` overtook.
 */
export function createOwnedBlobs(
  rows: BlobRows,
  place: BlobBytes,
  cache: BlobCache | null,
): OwnedBlobs {
  const sizes = new Map<string, number>();

  async function keyOf(hash: string): Promise<string> {
    const type = await rows.typeOf(checkHash(hash, "the hash of a blob"));
    if (type === undefined) throw unknownBlob(hash);
    return blobKey(hash, type);
  }

  /** The bytes from the place, checked against their hash. */
  async function fetchBytes(key: string, hash: string): Promise<Uint8Array> {
    const bytes = await place.read(key);
    if (bytes === undefined) throw missingBytes(hash, place.shown);
    if (sha256(bytes) === hash) return bytes;
    throw damagedBytes(key, hash, place.shown);
  }

  /** The same, written to a new file. */
  async function fetchFile(key: string, hash: string, path: string): Promise<void> {
    if (!(await place.readTo(key, path))) throw missingBytes(hash, place.shown);
    if ((await hashFile(path)) !== hash) throw damagedBytes(key, hash, place.shown);
  }

  /** Makes the video an owner, and calls `write` if the place may lack the bytes. */
  async function own(
    video: string,
    { hash, type }: BlobName,
    size: number,
    write: (key: string) => Promise<void>,
  ): Promise<string> {
    checkHash(video, "the hash of a video");
    checkType(type);
    for (;;) {
      const isKnown = (await rows.typeOf(hash)) !== undefined;
      const key = blobKey(hash, await rows.claim(video, hash, type));
      if (!isKnown || (await place.size(key)) !== size) await write(key);
      // Otherwise the video was forgotten in the meantime.
      if (await rows.owns(video, hash)) return key;
    }
  }

  async function pathOf(key: string, hash: string): Promise<string> {
    if (cache !== null) return cache.path(key, (file) => fetchFile(key, hash, file));
    const path = place.file?.(key);
    if (path !== undefined && (await place.size(key)) !== undefined) return path;
    throw missingBytes(hash, place.shown);
  }

  async function remove(blobs: readonly BlobName[]): Promise<void> {
    const keys = blobs.map(({ hash, type }) => blobKey(hash, type));
    await place.remove(keys);
    await cache?.remove(keys);
    for (const key of keys) sizes.delete(key);
  }

  /** With a wrong data folder or database, all blobs of another store would be without an owner. */
  async function checkOwnsSome(): Promise<void> {
    let isEmpty = true;
    for await (const batch of batches(place.list(), LISTED_AT_ONCE)) {
      const unowned = await rows.unowned(batch.map(nameOf), null);
      if (unowned.length < batch.length) return;
      isEmpty = false;
    }
    if (isEmpty) return;
    throw new Failure(
      "wrong-usage",
      `No blob in ${place.shown} belongs to this store, so none is removed. Check the data folder, --store and --blobs. If the place is no longer needed, remove all of it.`,
      { place: place.shown },
    );
  }

  return {
    async put(video, bytes, type) {
      const hash = sha256(bytes);
      const write = (key: string) => place.put(key, bytes);
      const key = await own(video, { hash, type }, bytes.byteLength, write);
      await cache?.keep(key, bytes);
      return { hash, path: await pathOf(key, hash) };
    },
    async putFile(video, path, hash, type) {
      checkHash(hash, "the hash of a blob");
      const { size } = await stat(path);
      const key = await own(video, { hash, type }, size, (key) => place.putFile(key, path));
      await cache?.keepFile(key, path);
    },
    async readRange(hash, start, end) {
      const bytes = await place.readRange(await keyOf(hash), start, end);
      if (bytes === undefined) throw missingBytes(hash, place.shown);
      return bytes;
    },
    async release(video, hash) {
      const type = await rows.typeOf(hash);
      if (type !== undefined) await rows.release([{ hash, type }], video, remove);
    },
    async path(hash) {
      return pathOf(await keyOf(hash), hash);
    },
    async read(hash) {
      const key = await keyOf(hash);
      if (cache === null) return fetchBytes(key, hash);
      return cache.read(key, hash, () => fetchBytes(key, hash));
    },
    owners: rows.owners,
    async forget(video) {
      checkHash(video, "the hash of a video");
      for (;;) {
        const some = await rows.some(video, REMOVED_AT_ONCE);
        if (some.length === 0) return;
        await rows.release(some, video, remove);
      }
    },
    async size(hash, type) {
      const key = blobKey(hash, type);
      const known = sizes.get(key) ?? (await place.size(key));
      if (known !== undefined && sizes.size < KNOWN_SIZES) sizes.set(key, known);
      return known ?? 0;
    },
    async removeUnowned(before_ms, dryRun) {
      await checkOwnsSome();
      const found: UnownedBlobs = { blobs: 0, bytes: 0, unfinished: 0 };
      for await (const batch of batches(place.list(), REMOVED_AT_ONCE)) {
        const old = batch.filter(({ modified_ms }) => modified_ms < before_ms);
        const listed = new Map(old.map(({ key, size }) => [key, size]));
        const take = async (unowned: readonly BlobName[]) => {
          if (!dryRun) await remove(unowned);
          for (const { hash, type } of unowned) {
            const size = listed.get(blobKey(hash, type));
            if (!listed.delete(blobKey(hash, type))) continue;
            found.blobs++;
            found.bytes += size ?? 0;
          }
        };
        const unowned = await rows.unowned(old.map(nameOf), null);
        if (unowned.length === 0) continue;
        await (dryRun ? take(unowned) : rows.release(unowned, null, take));
      }
      found.unfinished = await place.removeUnfinished(before_ms, dryRun);
      return found;
    },
    async cleanCache() {
      if (cache === null) return;
      const keys = (await cache.unusedKeys()).map((key) => ({ key }));
      for (let at = 0; at < keys.length; at += LISTED_AT_ONCE) {
        const unowned = await rows.unowned(keys.slice(at, at + LISTED_AT_ONCE).map(nameOf), null);
        await cache.remove(unowned.map(({ hash, type }) => blobKey(hash, type)));
      }
    },
    close: () => place.close(),
  };
}

/** The failure for a blob whose row is there, but not its bytes. */
function missingBytes(hash: string, shown: string): Failure {
  return new Failure(
    "not-found",
    `The bytes of the blob ${hash} are not in ${shown}. If they are in another place, copy them there or correct --blobs; otherwise forget their video and run again.`,
    { hash, place: shown },
  );
}

function damagedBytes(key: string, hash: string, shown: string): Failure {
  return new Failure(
    "store-damaged",
    `The bytes of ${key} in ${shown} do not match the hash in its name. Forget its video and run again.`,
    { hash, place: shown },
  );
}

function nameOf({ key }: Pick<StoredBytes, "key">): BlobName {
  const hash = hashOfKey(key) ?? "";
  return { hash, type: key.slice(hash.length + 1) };
}

async function* batches<T>(items: AsyncIterable<T>, size: number): AsyncIterable<T[]> {
  let batch: T[] = [];
  for await (const item of items) {
    batch.push(item);
    if (batch.length < size) continue;
    yield batch;
    batch = [];
  }
  if (batch.length > 0) yield batch;
}
