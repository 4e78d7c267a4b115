/** A blob: its hash, and the file extension of its first `put`. */
export interface BlobName {
  hash: string;
  type: string;
}

/** The rows that say which videos own a blob whose bytes are in a `BlobBytes`. */
export interface BlobRows {
  /** Makes the video an owner, and returns the type of the blob. Waits while the blob is being removed. */
  claim(video: string, hash: string, type: string): Promise<string>;
  /** Undefined if no video owns the blob. */
  typeOf(hash: string): Promise<string | undefined>;
  owns(video: string, hash: string): Promise<boolean>;
  owners(hash: string): Promise<string[]>;
  /** Some blobs of a video. */
  some(video: string, limit: number): Promise<BlobName[]>;
  /** Those of the blobs that no video owns, except for `video` if it is not null. */
  unowned(blobs: readonly BlobName[], video: string | null): Promise<BlobName[]>;
  /**
   * Calls `remove` with those of the blobs that no video owns, except for `video` if it is not null, and removes its rows.
   * None of the blobs can be claimed until `remove` has ended. `remove` may be called again.
   */
  release(
    blobs: readonly BlobName[],
    video: string | null,
    remove: (unowned: BlobName[]) => Promise<void>,
  ): Promise<void>;
}
