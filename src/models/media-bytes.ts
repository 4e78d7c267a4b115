import { readFile, stat } from "node:fs/promises";
import type { Store } from "../core/contracts.ts";
import { Failure, toFailure } from "../core/errors.ts";
import { sha256 } from "../core/hash.ts";

/** The part of a store that finds media: its blobs, and the paths of video files. */
export type MediaStore = Pick<Store, "blobs"> & Partial<Pick<Store, "catalogue">>;

/**
 * Path of the file that holds a medium: a blob, or the video file itself.
 * Throws `Failure` `not-found`, or `file-unreadable` for a video file that was moved or changed.
 */
export async function mediumPath(hash: string, { blobs, catalogue }: MediaStore): Promise<string> {
  const path = await videoPath(hash, { blobs, catalogue });
  if (path === undefined) return blobs.path(hash);
  try {
    const { size, mtimeMs } = await stat(path);
    const modified_ms = Math.trunc(mtimeMs);
    if ((await catalogue?.knownVideo(path, size, modified_ms)) === hash) return path;
  } catch (error) {
    throw toFailure(error, "file-unreadable", `reading ${path}`);
  }
  throw changed(path);
}

/** The bytes of a medium. Throws as `mediumPath`, and what `Blobs.read` throws. */
export async function readMedium(hash: string, store: MediaStore): Promise<Uint8Array> {
  const path = await videoPath(hash, store);
  return path === undefined ? store.blobs.read(hash) : videoBytes(hash, store);
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

/** Path of a video whose file is not a blob. */
async function videoPath(hash: string, { blobs, catalogue }: MediaStore) {
  return (await blobs.owners(hash)).length > 0 ? undefined : catalogue?.videoPath(hash);
}

async function videoBytes(hash: string, store: MediaStore): Promise<Uint8Array> {
  const path = await mediumPath(hash, store);
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
