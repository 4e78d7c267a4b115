import type { AuditLog } from "./audit.ts";
import type { Event, EventBody } from "./events.ts";
import type { IdempotentRequests } from "./idempotency.ts";
import type { LibraryIndex } from "./library/library-index.ts";
import type { RateTable } from "./rate-table.ts";
import type { Ratings } from "./ratings.ts";
import type { Replicas } from "./replicas.ts";
import type { RunResults } from "./run-results.ts";
import type { ServiceLists } from "./service-lists.ts";
import type { EditedSets, QuestionRow, UploadRow } from "./service-rows.ts";
import type { SharedRuns } from "./shared-runs.ts";
import type { SpendingAccounts } from "./spending-accounts.ts";
import type { UsageLedger } from "./usage-ledger.ts";
import type { WebhookQueue } from "./webhook-queue.ts";

export type { RunHeader, RunResults, RunSample } from "./run-results.ts";
export type { EditedSets, QuestionRow, UploadRow } from "./service-rows.ts";

/*
 * The interfaces of a store. `src/storage` implements them with SQLite and a folder;
 * `test/storage/contracts/` holds the tests that any other implementation must pass.
 */

/** A step and what it depends on. */
export interface MemoStep<T> {
  /** Hash of everything the step depends on. */
  key: string;
  /** Tags by which `forget` finds the step; a step on a video carries the video's hash. */
  tags: readonly string[];
  /** The run that pays. A value that is not `reusable` is returned to this run only. */
  run: string;
  /** Whether other runs may use the value. Default: always. */
  reusable?: (value: T) => boolean;
  signal?: AbortSignal;
  /** Called after `work`. What it writes at once is committed with the value. A store that cannot do that leaves it out. */
  onStoring?: () => void;
}

/** Steps keyed by content. A step runs once at a time across all processes of a store and is written before it returns. */
export interface Memo {
  /**
   * Returns the stored value, or runs `work` and stores its value. `value` is JSON.
   * If `work` throws, nothing is stored, and each waiting caller tries it again.
   * If the caller that runs `work` is aborted, one of the waiting callers takes over.
   */
  once<T>(
    step: MemoStep<T>,
    work: (signal: AbortSignal) => Promise<T>,
  ): Promise<{ value: T; cached: boolean }>;
  /** The stored value, without running the step. */
  peek<T>(key: string, run: string): Promise<T | undefined>;
  /** Removes every step that carries the tag and returns their number. Steps in flight are not stored when they end. */
  forget(tag: string): Promise<number>;
}

/** Bytes on disk by content hash. A blob belongs to one or more videos and is removed with the last of them. */
export interface Blobs {
  /** Writes atomically; equal bytes share one file. `type` is a file extension without the dot (`jpg`, `wav`). Throws `Failure` `wrong-usage` for other types, `disk-full`. */
  put(video: string, bytes: Uint8Array, type: string): Promise<{ hash: string; path: string }>;
  /** Absolute path, or `Failure` `not-found`. */
  path(hash: string): Promise<string>;
  /** Throws `Failure` `not-found`, or `store-damaged` if the bytes have changed since they were written. */
  read(hash: string): Promise<Uint8Array>;
  /** The videos that a blob belongs to; empty for an unknown blob. */
  owners(hash: string): Promise<string[]>;
  forget(video: string): Promise<void>;
}

/** A file of a video by its name. */
export interface VideoFile {
  /** For example `derived/scan-2.bin`. */
  name: string;
  /** SHA-256 of the bytes. */
  hash: string;
  /** Bytes. */
  size: number;
}

/**
 * Files of videos outside the data folder, where other machines find them: those derived from a video, and for a service its
 * own bytes and subtitles. They belong to the video and are removed with it. Throws `Failure`: `store-unreachable`,
 * `disk-full`, `file-unreadable`.
 */
export interface VideoFiles {
  /** Keeps the bytes of a file under a name, instead of those before. The file may be removed afterwards. */
  put(video: string, name: string, path: string): Promise<VideoFile>;
  /** Path of a local copy, which must not be changed; undefined for an unknown name. Throws `Failure` `store-damaged`. */
  path(video: string, name: string): Promise<string | undefined>;
  /** In order of their names. */
  list(video: string): Promise<VideoFile[]>;
  /** Bytes from `first` to `last`, both included, each part of them checked. Throws `Failure` `store-damaged`, `not-found`. */
  read(video: string, name: string, first: number, last: number): AsyncIterable<Uint8Array>;
  drop(video: string, name: string): Promise<void>;
}

/** Stored bytes of blobs that no video owns. */
export interface UnownedBlobs {
  /** How many blobs, and their bytes in total. */
  blobs: number;
  bytes: number;
  /** Writes that a killed process did not finish. */
  unfinished: number;
}

/** The events of questions, in order. */
export interface Events {
  /**
   * Appends an event with the next `seq` of its question (from 1, without gaps). Appends of one process to a question
   * are numbered in the order of the calls, awaited or not.
   */
  append(question: string, stage: string, at: number, body: EventBody): Promise<Event>;
  /**
   * The same by the process that runs a question of the service. Throws the `Failure` of `lostQuestion`, and writes nothing,
   * if another process has the question now, it has ended, or it was removed.
   */
  appendAsHolder: Events["append"];
  /**
   * Events of a question with a `seq` above the given one, in order. `most_bytes` limits the result to the first events
   * whose bodies have about that many bytes in total; at least one event is returned if any exists.
   */
  after(question: string, seq: number, most_bytes?: number): Promise<Event[]>;
  forget(question: string): Promise<void>;
  /**
   * Calls `onChange` with the id of each question of the service that changes, also by other machines. Notifications may
   * be missed: read again from time to time. A store of one machine has no `watch`.
   */
  watch?(onChange: (question: string) => void): Promise<{ stop(): Promise<void> }>;
}

/** Records about videos and questions: the path of each file, the questions of each video. */
export interface Catalogue {
  putVideo(video: { hash: string; path: string; size: number; modified_ms: number }): Promise<void>;
  /** The recorded hash of a file whose path, size and time are unchanged. */
  knownVideo(path: string, size: number, modified_ms: number): Promise<string | undefined>;
  /** Paths and hashes of the files that were opened below a folder, ordered by path. */
  videosBelow(folder: string): Promise<{ path: string; hash: string }[]>;
  /** The path at which a video was last opened. */
  videoPath(hash: string): Promise<string | undefined>;
  putQuestion(question: { id: string; video: string; json: string }): Promise<void>;
  questions(video: string): Promise<{ id: string; json: string }[]>;
  putSet(set: { id: string; video: string; json: string }): Promise<void>;
  set(id: string): Promise<string | undefined>;
  /** Removes the video's rows and returns the ids of its questions. */
  forget(video: string): Promise<string[]>;
}

/** An access key, stored as the hash of its secret; `json` holds its limits. */
export interface KeyRow {
  name: string;
  hash: string;
  created_at: number;
  json: string;
}

/** Uploads, questions, keys and spending of the service. One process writes them: the service locks its data folder. */
export interface ServiceStore extends ServiceLists, IdempotentRequests, Ratings, UsageLedger {
  putUpload(row: UploadRow): Promise<void>;
  upload(id: string): Promise<UploadRow | undefined>;
  /** In order of creation; of one owner, or of all owners. */
  uploads(owner?: string): Promise<UploadRow[]>;
  /** What all uploads count for, in order of creation; `video`: the hash of a complete one. */
  uploadSizes(): Promise<{ id: string; owner: string; size: number; video: string | null }[]>;
  /** Uploads of the same bytes. */
  uploadsOf(video: string): Promise<UploadRow[]>;
  /** Removes the upload, its questions and their events. */
  dropUpload(id: string): Promise<void>;
  putQuestion(row: QuestionRow): Promise<void>;
  /** Replaces a question; false, and nothing is written, if it was removed. */
  editQuestion(row: QuestionRow): Promise<boolean>;
  /** Removes a question with its events and ratings. */
  dropQuestion(id: string): Promise<void>;
  question(id: string): Promise<QuestionRow | undefined>;
  /** Questions that have not ended, in the order in which they were asked. */
  openQuestions(): Promise<QuestionRow[]>;
  /** Of an owner's questions about a video whose evidence people edited, in the order in which they were asked. */
  editedSets(video: string, owner: string): Promise<EditedSets[]>;
  /** Removes the questions about a video from all its uploads, with their events. */
  forget(video: string): Promise<void>;
  /** Throws `Failure` `wrong-usage` if the name is in use. */
  addKey(row: KeyRow): Promise<void>;
  keys(): Promise<KeyRow[]>;
  /** Returns whether the key existed. */
  dropKey(name: string): Promise<boolean>;
  /** Adds to the dollars that an owner spent on a day (`2026-11-21`); `batch` as of `addUsage`. */
  spend(owner: string, day: string, dollars: number, batch: string): Promise<void>;
  spent(owner: string, day: string): Promise<number>;
}

/** A file uploaded to a model provider. Its record is written before the upload begins. */
export interface RemoteFile {
  /** The provider's name for the file. */
  name: string;
  /** Address of the provider. */
  place: string;
  /** Hash of the API key of the upload: no other key can use the file. */
  account: string;
  /** Hash of the file's bytes. */
  content: string;
  /** Null until the upload is complete. */
  uri: string | null;
  /** Milliseconds since 1970 at which the provider deletes the file. */
  expires_at: number;
}

/** Files at model providers. Calls and processes share a file; it is deleted when the last user has ended. */
export interface RemoteFiles {
  /** The file with this content that expires last and is not marked for deletion. */
  find(file: Pick<RemoteFile, "place" | "account" | "content">): Promise<RemoteFile | undefined>;
  /** Writes or replaces a record, and registers this process as a user of the file. */
  put(file: RemoteFile): Promise<void>;
  /** Registers this process as a user of a file. */
  hold(file: Pick<RemoteFile, "place" | "name">): Promise<void>;
  /**
   * Ends the use by this process, and returns the files of an account that no running process uses. The caller deletes
   * them at the provider; `find` no longer returns them.
   */
  release(place: string, account: string): Promise<RemoteFile[]>;
  /** Removes the record of a deleted file. */
  drop(file: Pick<RemoteFile, "place" | "name">): Promise<void>;
}

/** Bytes stored for a video in addition to its file. */
export interface DerivedSize {
  /** Results of steps, including model replies. */
  steps: number;
  events: number;
  /** Frames and clips; those shared with another video count for both. */
  frames: number;
  /** Scans and search indexes. */
  index: number;
  /** Total. */
  bytes: number;
}

/** A row whose JSON cannot be read. Readers skip it. */
export interface DamagedRow {
  table: string;
  /** Identifies the row: column -> value. */
  key: Record<string, string>;
  /** Completes "the row ...". */
  problem: string;
  /** The row's text. */
  text: string;
}

/** Rights that one caller of all processes has at a time. They end with the process, by the clock of the database. */
export interface Claims {
  /** Takes a right, and returns what gives it back; null while somebody else has it. */
  take(name: string): Promise<(() => Promise<void>) | null>;
}

/** Everything that is kept between processes; `openStore` opens one. */
export interface Store {
  /** The data folder, absolute. */
  folder: string;
  memo: Memo;
  blobs: Blobs;
  events: Events;
  catalogue: Catalogue;
  service: ServiceStore;
  remoteFiles: RemoteFiles;
  library: LibraryIndex;
  audit: AuditLog;
  webhooks: WebhookQueue;
  /** Limits of dollars over several machines. A store of one machine has none. */
  spending?: SpendingAccounts;
  /** Runs that workers of several machines answer; missing in a store for one machine. */
  runs?: SharedRuns;
  /** Null for a store that one service uses at a time, as is `replicas`. */
  claims: Claims | null;
  replicas: Replicas | null;
  /** Rates of model calls over several machines. A store of one machine has none. */
  rates?: RateTable;
  /** The folder of data derived from a video that can be rebuilt (its scan, its search index); removed by `forget`. */
  derived(video: string): Promise<string>;
  /** Removes the data derived from a video that can be rebuilt, here and in `files`. */
  dropDerived(video: string): Promise<void>;
  /** Files that other machines get; null if everything is in the data folder. */
  files: VideoFiles | null;
  /**
   * Removes everything stored for a video: rows, blobs, derived files, its uploads of all owners with their files, and its
   * questions with their events.
   * Steps in flight are not stored when they end. If interrupted, call it again.
   */
  forget(video: string): Promise<void>;
  derivedSize(video: string): Promise<DerivedSize>;
  /**
   * Removes the bytes of blobs that no video owns and that were written before `before_ms` (milliseconds since 1970), if they
   * are outside the data folder: inside, nothing is left over. With `dryRun`, it only counts. Other processes may use the store.
   * Throws `Failure` `wrong-usage` if the store owns none of the blobs there: they are probably those of another store.
   */
  removeUnownedBlobs(before_ms: number, dryRun: boolean): Promise<UnownedBlobs>;
  /** Removes copies in the data folder of blobs outside it that no video owns any more, unless they were used just now. */
  cleanBlobCache(): Promise<void>;
  /** Unreadable rows of the service's tables, of its uploads, or of all tables. */
  damaged(only: "service" | "uploads" | "all"): Promise<DamagedRow[]>;
  removeDamaged(rows: readonly DamagedRow[]): Promise<void>;
  close(): Promise<void>;
}

/** A run in a folder with `header.json` and `samples.jsonl`. */
export interface RunLog extends RunResults {
  folder: string;
  /** Locks the folder for one process; throws `Failure` `store-busy` that names the holder. The lock of an ended process is free. */
  lock(): Promise<{ release(): Promise<void> }>;
}
