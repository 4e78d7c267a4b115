import { randomBytes } from "node:crypto";
import { Failure } from "../../core/errors.ts";
import { sha256 } from "../../core/hash.ts";
import { type BlobBytes, blobKey } from "./blob-bytes.ts";
import type { BlobPlace } from "./blob-place.ts";
import { createFolderBytes } from "./folder/folder-bytes.ts";
import { createS3Bytes } from "./s3/s3-bytes.ts";
import { readS3Place } from "./s3/s3-place.ts";

/** Opens a place of blobs. Connects at the first use. Throws `Failure`: `wrong-usage`, `package-missing`. */
export function openBlobBytes({ address, endpoint = null }: BlobPlace): BlobBytes {
  if (/^s3:\/\//i.test(address)) return createS3Bytes(readS3Place(address, endpoint));
  if (/^[a-z][a-z0-9+.-]*:\/\//i.test(address) || address.trim() === "")
    throw new Failure(
      "wrong-usage",
      "Invalid --blobs: use s3://bucket/prefix, or the path of a folder.",
    );
  if (endpoint !== null)
    throw new Failure("wrong-usage", "--blobs-endpoint is for --blobs s3://bucket/prefix only.");
  return createFolderBytes(address);
}

/** Writes, lists, reads and removes a small blob. Throws `Failure` for what does not work. */
export async function checkBlobBytes(place: BlobBytes): Promise<void> {
  const bytes = randomBytes(64);
  const key = blobKey(sha256(bytes), "check");
  await place.put(key, bytes);
  try {
    for await (const _ of place.list()) break;
    const found = await place.read(key);
    if (found === undefined || Buffer.compare(found, bytes) !== 0)
      throw new Failure(
        "store-unreachable",
        `${place.shown} does not return what was written to it. Use a place that returns written bytes at once.`,
        { place: place.shown },
      );
  } finally {
    await place.remove([key]);
  }
}
