import { readFile, stat } from "node:fs/promises";
import type { Store } from "../core/contracts.ts";
import { Failure, isFailure, toFailure } from "../core/errors.ts";
import { sha256 } from "../core/hash.ts";

/** The part of a store that finds media: its blobs, and the paths of video files. */
export type MediaStore = Pick<Store, "blobs"> & Partial<Pick<Store, "catalogue">>;

/**
 * Path of the file that holds a medium: a blob, or the video file itself.
 * Throws `Failure` `not-found`, or `file-unreadable` for a video file that was moved or changed.
 */
export function mediumPath(hash: string, store: MediaStore): Promise<string> {
  return blobOrVideo(hash, store, store.blobs.path, (path) => unchanged(path, hash, store));
}

/** The bytes of a medium. Throws as `mediumPath`, and what `Blobs.read` throws. */
export function readMedium(hash: string, store: MediaStore): Promise<Uint8Array> {
  return blobOrVideo(hash, store, store.blobs.read, (path) => videoBytes(path, hash, store));
}

/** Bytes of a medium. Throws as `readMedium`. */
export async function mediumSize(hash: string, store: MediaStore): Promise<number> {
  try {
    return (await stat(await mediumPath(hash, store))).size;
  } catch (error) {
    if (error instanceof Failure) throw error;
    // The paths of this store are not files.
    return (await store.blobs.read(hash)).byteLength;
  }
}

/** Nearly all media are blobs, so a video file is looked for only if there is no blob. */
async function blobOrVideo<T>(
  hash: string,
  { catalogue }: MediaStore,
  ofBlob: (hash: string) => Promise<T>,
  ofVideo: (path: string) => Promise<T>,
): Promise<T> {
  try {
    return await ofBlob(hash);
  } catch (error) {
    if (!isFailure(error, "not-found")) throw error;
    const path = await catalogue?.videoPath(hash);
    if (path === undefined) throw error;
    return ofVideo(path);
  }
}

/** The path, if its file is still the video. */
async function unchanged(path: string, hash: string, { catalogue }: MediaStore): Promise<string> {
  try {
    const { size, mtimeMs } = await stat(path);
    const modified_ms = Math.trunc(mtimeMs);
    if ((await catalogue?.knownVideo(path, size, modified_ms)) === hash) return path;
  } catch (error) {
    throw toFailure(error, "file-unreadable", `reading ${path}`);
  }
  throw changed(path);
}

async function videoBytes(path: string, hash: string, store: MediaStore): Promise<Uint8Array> {
  await unchanged(path, hash, store);
  const bytes = await readFile(path).catch((error: unknown) => {
    throw toFailure(error, "file-unreadable", `reading ${path}`);
  });
  if (sha256(bytes) === hash) return bytes;
  throw changed(path);
}

function changed(path: string): Failure {
  return new Failure(
    "file-unreadable",
    `${path} changed after the question began: ask again to use the file as it is now.`,
    { path },
  );
}
