import { readFile, stat } from "node:fs/promises";
import type { Store } from "../core/contracts.ts";
import { Failure, toFailure } from "../core/errors.ts";
import { sha256 } from "../core/hash.ts";

/** What is needed of a store to find media: its blobs, and where video files lie. */
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

/** Base64 of a medium. Throws as `mediumPath`, and what `Blobs.read` throws. */
export async function mediumBase64(hash: string, store: MediaStore): Promise<string> {
  const path = await videoPath(hash, store);
  const bytes = path === undefined ? await store.blobs.read(hash) : await videoBytes(hash, store);
  return Buffer.from(bytes.buffer, bytes.byteOffset, bytes.byteLength).toString("base64");
}

/** Where a video lies whose file is no blob. */
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
    `${path} changed after the question was begun: ask again to use the file as it is now.`,
    { path },
  );
}
