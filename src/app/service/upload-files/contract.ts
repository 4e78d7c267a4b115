import type { ReadStream } from "node:fs";
import type { UploadRow } from "../../../core/contracts.ts";

/** Where the bytes of uploads are: in the data folder, or where all machines find them. */
export interface UploadFiles {
  /** Whether other machines find the bytes. */
  shared: boolean;
  /** Prepares a new upload. */
  create(id: string): Promise<void>;
  /** Bytes that arrived, and when the last of them did (milliseconds since 1970, null: unknown); null without any trace of them. */
  arrived(row: UploadRow): Promise<{ bytes: number; at: number | null } | null>;
  /**
   * Adds a chunk that begins at byte `from` and is the last one if it ends at `size`. `write` writes it to a file from an
   * offset, and returns how many bytes came.
   */
  append(
    row: Pick<UploadRow, "id" | "size">,
    from: number,
    write: (file: string, start: number) => Promise<number>,
  ): Promise<number>;
  /** Path of the file with all bytes that arrived. */
  whole(id: string): Promise<string>;
  /** Keeps the bytes of a complete upload. Called before its row says that it is complete. */
  settle(id: string, hash: string): Promise<void>;
  /** Drops the chunks of a complete upload. Called after its row says that it is complete. */
  dropChunks(id: string): Promise<void>;
  /** Whether the bytes of an upload are known. */
  exists(row: UploadRow): Promise<boolean>;
  /** Path of the file of a complete upload for programs, next to its subtitles. Throws `Failure` `store-damaged`, `not-found`. */
  path(row: UploadRow): Promise<string>;
  /** The subtitle files of an upload. */
  subtitles(row: UploadRow): Promise<{ name: string; path: string }[]>;
  /** Keeps the subtitle files next to the file of an upload as they are now. */
  settleSubtitles(row: UploadRow): Promise<void>;
  /** The bytes of a complete upload from `first` to `last`, both included. */
  read(
    row: UploadRow,
    first: number,
    last: number,
  ): Promise<AsyncIterable<Uint8Array> | ReadStream>;
  /** The hash of the bytes, if the file was opened before. */
  hashOf(id: string): Promise<string | undefined>;
  /** Removes what only this upload has. */
  remove(id: string, hash: string | undefined): Promise<void>;
}
