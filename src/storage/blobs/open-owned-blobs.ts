import type { Store } from "../../core/contracts.ts";
import { createBlobCache } from "./blob-cache.ts";
import { type BlobPlace, cacheBytes } from "./blob-place.ts";
import type { BlobRows } from "./blob-rows.ts";
import { openBlobBytes } from "./open-blob-bytes.ts";
import { createOwnedBlobs, type OwnedBlobs } from "./owned-blobs.ts";

/** The blobs of a store whose bytes are in `place`; files of a bucket are cached in the data folder `root`. */
export function openOwnedBlobs(rows: BlobRows, place: BlobPlace, root: string): OwnedBlobs {
  const bytes = openBlobBytes(place);
  const cache = bytes.file === undefined ? createBlobCache(root, cacheBytes(place)) : null;
  return createOwnedBlobs(rows, bytes, cache);
}

/** Blobs in the data folder leave nothing over: every file has a row. */
export function removeUnownedBlobs(owned: OwnedBlobs | null): Store["removeUnownedBlobs"] {
  return owned?.removeUnowned ?? (async () => ({ blobs: 0, bytes: 0, unfinished: 0 }));
}
