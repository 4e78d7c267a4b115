import type { Event, EventBody } from "./events.ts";

/*
 * What the rest of the project asks of a store. `src/storage` keeps them on SQLite and a folder;
 * `test/storage/contracts/` holds the tests that any other implementation has to pass.
 */

export interface MemoStep<T> {
  /** Hash of everything the step depends on. */
  key: string;
  /** What `forget` can find it by; a step on a video carries the video's hash. */
  tags: readonly string[];
  /** The run that pays. A value that is not `reusable` is served to this run alone. */
  run: string;
  /** Whether a value may serve other runs. Default: always. */
  reusable?: (value: T) => boolean;
  signal?: AbortSignal;
}

/** Steps keyed by content: one flight at a time over all processes of a store, written before they return. */
export interface Memo {
  /**
   * The kept value, or that of `work`. `value` is JSON.
   * A step whose `work` throws is not kept; those who waited for it try for themselves.
   * When the caller that does the work is aborted and others wait, one of them takes it over.
   */
  once<T>(
    step: MemoStep<T>,
    work: (signal: AbortSignal) => Promise<T>,
  ): Promise<{ value: T; cached: boolean }>;
  /** The kept value, without doing the work. */
  peek<T>(key: string, run: string): Promise<T | undefined>;
  /** Removes every step that carries the tag; returns how many. One in flight is not kept when it ends. */
  forget(tag: string): Promise<number>;
}

/** Bytes on disk by content hash. A blob belongs to one or more videos and goes when the last is forgotten. */
export interface Blobs {
  /** Writes atomically; the same bytes twice are one file. `type` is a file ending without the dot (`jpg`, `wav`). Throws `Failure` `wrong-usage` for other types, `disk-full`. */
  put(video: string, bytes: Uint8Array, type: string): Promise<{ hash: string; path: string }>;
  /** Absolute path, or `Failure` `not-found`. */
  path(hash: string): Promise<string>;
  /** Throws `Failure` `not-found`, or `store-damaged` where the bytes are not those that were put. */
  read(hash: string): Promise<Uint8Array>;
  /** The videos that a blob belongs to; none for one that is not there. */
  owners(hash: string): Promise<string[]>;
  forget(video: string): Promise<void>;
}

export interface Events {
  /** Gives the event the next `seq` of its question (from 1, without gaps). */
  append(question: string, stage: string, at: number, body: EventBody): Promise<Event>;
  /**
   * Events of a question with a `seq` above the given one, in order. `most_bytes`: only the first ones whose bodies have
   * about that many bytes together, and at least one if there is any.
   */
  after(question: string, seq: number, most_bytes?: number): Promise<Event[]>;
  forget(question: string): Promise<void>;
}

/** Small named facts about videos and questions: where a file lies, which questions belong to a video. */
export interface Catalogue {
  putVideo(video: { hash: string; path: string; size: number; modified_ms: number }): Promise<void>;
  /** The hash kept for a file that has not changed since, by path, size and time. */
  knownVideo(path: string, size: number, modified_ms: number): Promise<string | undefined>;
  /** Hashes of the files that were seen below a folder, by path. */
  videosBelow(folder: string): Promise<{ path: string; hash: string }[]>;
  /** Where a video was last seen. */
  videoPath(hash: string): Promise<string | undefined>;
  putQuestion(question: { id: string; video: string; json: string }): Promise<void>;
  questions(video: string): Promise<{ id: string; json: string }[]>;
  putSet(set: { id: string; video: string; json: string }): Promise<void>;
  set(id: string): Promise<string | undefined>;
  /** Removes the video's rows here and returns the ids of its questions. */
  forget(video: string): Promise<string[]>;
}

/** A file that somebody gave to the service; `video` is null until all of it is there and was found to be media. */
export interface UploadRow {
  id: string;
  /** Name of the key that it was given with; '' where none is asked for. */
  owner: string;
  name: string;
  /** Bytes announced. */
  size: number;
  /** Milliseconds since 1970. */
  created_at: number;
  video: {
    hash: string;
    duration_s: number;
    container: string;
    width: number | null;
    height: number | null;
  } | null;
}

/** A question asked of an upload; `json` is the service's own. Its events are kept under `id`. */
export interface QuestionRow {
  id: string;
  upload: string;
  owner: string;
  /** Whether it still has to come to an end. */
  open: boolean;
  created_at: number;
  json: string;
}

/** A key by the hash of its secret; `json` holds its limits. */
export interface KeyRow {
  name: string;
  hash: string;
  created_at: number;
  json: string;
}

/** What the service keeps. Rows of one process: the service holds a lock on its data folder. */
export interface ServiceStore {
  putUpload(row: UploadRow): Promise<void>;
  upload(id: string): Promise<UploadRow | undefined>;
  /** In the order in which they were made; of one owner, or of all. */
  uploads(owner?: string): Promise<UploadRow[]>;
  /** Uploads of the same bytes. */
  uploadsOf(video: string): Promise<UploadRow[]>;
  /** Removes the upload and its questions with their events. */
  dropUpload(id: string): Promise<void>;
  putQuestion(row: QuestionRow): Promise<void>;
  question(id: string): Promise<QuestionRow | undefined>;
  /** In the order of asking. */
  questionsOf(upload: string): Promise<QuestionRow[]>;
  /** How many questions each upload of an owner has. */
  questionCounts(owner: string): Promise<Map<string, number>>;
  /** Those that still have to come to an end, in the order of asking. */
  openQuestions(): Promise<QuestionRow[]>;
  /** Removes the questions on a video from all its uploads, and their events. */
  forget(video: string): Promise<void>;
  /** Throws `Failure` `wrong-usage` where the name is taken. */
  addKey(row: KeyRow): Promise<void>;
  keys(): Promise<KeyRow[]>;
  /** Whether there was one. */
  dropKey(name: string): Promise<boolean>;
  /** Adds to what an owner spent on a day (`2026-11-21`), in dollars. */
  spend(owner: string, day: string, dollars: number): Promise<void>;
  spent(owner: string, day: string): Promise<number>;
}

/** A file that was uploaded to a model provider. Its record is kept before the upload begins. */
export interface RemoteFile {
  /** What the provider calls it. */
  name: string;
  /** Address of the provider. */
  place: string;
  /** Hash of the key that it was uploaded with: nobody else can use it. */
  account: string;
  /** Hash of its bytes. */
  content: string;
  /** Null until the upload has ended. */
  uri: string | null;
  /** Milliseconds since 1970 after which the provider has deleted it. */
  expires_at: number;
}

/** Files at model providers: each is used by many calls and processes, and deleted when the last has ended. */
export interface RemoteFiles {
  /** One that holds the content and is not about to be deleted; the one that lasts longest. */
  find(file: Pick<RemoteFile, "place" | "account" | "content">): Promise<RemoteFile | undefined>;
  /** Keeps a record, or replaces it, and notes that this process uses the file. */
  put(file: RemoteFile): Promise<void>;
  /** Notes that this process uses a file. */
  hold(file: Pick<RemoteFile, "place" | "name">): Promise<void>;
  /**
   * Ends the use of this process, and returns the files of an account that no living process uses: they are to be
   * deleted there, and are not found any more.
   */
  release(place: string, account: string): Promise<RemoteFile[]>;
  /** Removes the record: the file is gone. */
  drop(file: Pick<RemoteFile, "place" | "name">): Promise<void>;
}

/** Bytes kept of a video in addition to its file. */
export interface DerivedSize {
  /** Results of steps, model replies among them. */
  steps: number;
  events: number;
  /** Frames and clips; those that another video has as well count for each. */
  frames: number;
  /** Scans and search indexes. */
  index: number;
  /** All of these. */
  bytes: number;
}

/** A row whose JSON cannot be read: every reader passes over it. */
export interface DamagedRow {
  table: string;
  /** Names the row: column -> value. */
  key: Record<string, string>;
  /** Completes "the row ...". */
  problem: string;
  /** What the row holds in place of JSON. */
  text: string;
}

export interface Store {
  /** The data folder, absolute. */
  folder: string;
  memo: Memo;
  blobs: Blobs;
  events: Events;
  catalogue: Catalogue;
  service: ServiceStore;
  remoteFiles: RemoteFiles;
  /** A folder for what is derived from a video and can be made again (its scan, its search index); goes with `forget`. */
  derived(video: string): Promise<string>;
  /**
   * Removes everything kept of a video: rows, blobs, derived files, and the events of its questions.
   * Steps in flight are not kept when they end. Interrupted, it is to be called again.
   */
  forget(video: string): Promise<void>;
  derivedSize(video: string): Promise<DerivedSize>;
  /** Rows that cannot be read: of the service's tables, which are small, or of all tables. */
  damaged(only: "service" | "all"): Promise<DamagedRow[]>;
  removeDamaged(rows: readonly DamagedRow[]): Promise<void>;
  close(): Promise<void>;
}

/** Header of a run: settings, versions, hashes of prompts and data, status. */
export interface RunHeader {
  run: string;
  format: number;
  status: "running" | "finished" | "stopped" | "failed";
  created_at: string;
  [fact: string]: unknown;
}

export interface RunSample {
  sample: string;
  epoch: number;
  [fact: string]: unknown;
}

/** Results of a run, append-only: a folder with `header.json` and `samples.jsonl`. */
export interface RunLog {
  folder: string;
  /** One process at a time; `Failure` `store-busy` names the holder. A lock whose process is gone is taken over. */
  lock(): Promise<{ release(): Promise<void> }>;
  readHeader(): Promise<RunHeader>;
  writeHeader(header: RunHeader): Promise<void>;
  /** Good lines by (sample, epoch), the last one counts; a half-written last line is cut and counted, never an error. */
  read(): Promise<{ samples: RunSample[]; damaged: number }>;
  /** `kept` when a good result of (sample, epoch) stands already; an error may be replaced. */
  append(sample: RunSample & { error?: unknown }): Promise<"written" | "kept">;
}
