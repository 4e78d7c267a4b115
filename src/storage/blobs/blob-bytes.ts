import { checkHash, checkType } from "../paths.ts";

/** The bytes of a blob, as a place of blobs lists it. */
export interface StoredBytes {
  key: string;
  /** Bytes. */
  size: number;
  /** Milliseconds since 1970, by the clock of the place. */
  modified_ms: number;
}

/**
 * Keeps bytes by key: a folder or a bucket. Which blobs exist, and whom they belong to, is decided by the rows of a store.
 * Throws `Failure`: `store-unreachable` (also credentials, bucket), `disk-full`, `file-unreadable`.
 */
export interface BlobBytes {
  /** For messages: without credentials. */
  shown: string;
  /** Keeps all of the bytes or none. Replaces those of the same key. */
  put(key: string, bytes: Uint8Array): Promise<void>;
  /** As `put`, with the bytes of a file. */
  putFile(key: string, path: string): Promise<void>;
  /** Undefined if the key is missing. Does not check the hash. */
  read(key: string): Promise<Uint8Array | undefined>;
  /** The bytes from `start` to before `end`, or to the end of the blob; undefined if the key is missing. */
  readRange(key: string, start: number, end: number): Promise<Uint8Array | undefined>;
  /** Writes the bytes to a new file; false if the key is missing. Does not check the hash. */
  readTo(key: string, path: string): Promise<boolean>;
  /** Bytes of a key; undefined if it is missing. */
  size(key: string): Promise<number | undefined>;
  /** A missing key is no error. */
  remove(keys: readonly string[]): Promise<void>;
  /** All keys of blobs. Skips anything else in the place. */
  list(): AsyncIterable<StoredBytes>;
  /** Removes what killed processes have left of writes that began before `before_ms`. Returns how many there were. */
  removeUnfinished(before_ms: number, dryRun: boolean): Promise<number>;
  /** The file of a key, if the place is a folder. */
  file?(key: string): string;
  close(): void;
}

const KEY = /^(?<hash>[0-9a-f]{64})\.(?<type>[a-z0-9]{1,8})$/;

/** The key of a blob: its hash and its type. */
export function blobKey(hash: string, type: string): string {
  return `${checkHash(hash, "the hash of a blob")}.${checkType(type)}`;
}

/** The hash in a key; undefined for a name that is not a key. */
export function hashOfKey(key: string): string | undefined {
  return KEY.exec(key)?.groups?.hash;
}

/** Where a key is in a place. Two levels, as in a data folder, so that its `blobs/` can be copied there. */
export function pathOfKey(key: string): string {
  return `${key.slice(0, 2)}/${key}`;
}

/** The key at a path of a place; undefined for anything that is not a blob. */
export function keyOfPath(path: string): string | undefined {
  const key = path.slice(3);
  return hashOfKey(key) !== undefined && pathOfKey(key) === path ? key : undefined;
}
