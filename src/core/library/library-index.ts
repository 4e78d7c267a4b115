import type { LibraryTerm } from "./library-query.ts";

/*
 * Search over the texts of all videos of a service. The interface names no search engine; `src/storage` implements it,
 * and `test/storage/contracts/library.ts` has the tests that any implementation must pass.
 */

/** What a text of a video is. `name` and `tag` belong to the whole video. */
export const LIBRARY_KINDS = [
  "name",
  "tag",
  "subtitle",
  "speech",
  "text",
  "equation",
  "caption",
] as const;
/** A kind of text by which videos are found. */
export type LibraryKind = (typeof LIBRARY_KINDS)[number];

/** One text of a video. */
export interface LibraryText {
  kind: LibraryKind;
  /** Seconds from the start of the video; 0 for a name or tag. */
  start_s: number;
  end_s: number;
  text: string;
  /** Id of the evidence; null for a name or tag. */
  evidence: string | null;
}

/** An upload whose indexed texts may be outdated. `mark` changes with every change of the upload or its questions. */
export interface StaleVideo {
  upload: string;
  mark: string;
}

/** What is searched for, and where. */
export interface LibrarySearch {
  /** Only videos of this owner; undefined: of all owners. */
  owner?: string;
  /** Only this upload. */
  upload?: string;
  /** All must match in the same text. Not empty. */
  terms: readonly LibraryTerm[];
  /** Default: all kinds. */
  kinds?: readonly LibraryKind[];
  limit: number;
  /** The position of the last hit of the page before; null: from the best hit. */
  after: LibraryPosition | null;
}

/** A place in a list of hits, by which they are sorted. */
export interface LibraryPosition {
  score: number;
  created_at: number;
  start_s: number;
  id: number;
}

/** A text that matches. */
export interface LibraryHit extends LibraryText {
  upload: string;
  /** Name of the video. */
  name: string;
}

/** One page of the texts that match. */
export interface LibraryPage {
  /** Best first; equally good ones by the newest video, then by time. */
  hits: LibraryHit[];
  /** Number of matching texts. Only the `RANKED_MOST` newest of them are ranked and listed. */
  total: number;
  /** Position of the last hit; null if the list ends there. */
  last: LibraryPosition | null;
}

/** Which texts of a video are listed: those that overlap `from_s` to `to_s`. */
export interface VideoTexts {
  upload: string;
  from_s: number;
  to_s: number;
  limit: number;
  /** The position of the last text of the page before; null: from the first. */
  after: TextPosition | null;
}

/** A place in the texts of a video, by which they are sorted. */
export interface TextPosition {
  start_s: number;
  id: number;
}

/** One page of the texts of a video, in the order of their start. */
export interface VideoTextPage {
  texts: LibraryText[];
  /** Number of texts on all pages. */
  total: number;
  last: TextPosition | null;
}

/** Texts that match more often than this are ranked among the newest ones only. */
export const RANKED_MOST = 5000;

/**
 * The texts of complete uploads, by words. The index marks an upload as stale when it is renamed, tagged or removed, and
 * when its questions change; whoever knows the texts puts them. A removed upload is not found any more at once.
 */
export interface LibraryIndex {
  search(query: LibrarySearch): Promise<LibraryPage>;
  /** Texts of one video with their times, without its name and tags. */
  texts(query: VideoTexts): Promise<VideoTextPage>;
  /** Stale uploads, of one owner or of all: the newest changes, or the oldest. Removed uploads belong to every owner. */
  stale(order: "newest" | "oldest", limit: number, owner?: string): Promise<StaleVideo[]>;
  countStale(owner?: string): Promise<number>;
  /** Marks an upload whose texts depend on something outside the store that has changed. */
  markStale(upload: string): Promise<void>;
  /** Replaces the texts of an upload. It stays stale if it has changed since it was marked. */
  put(stale: StaleVideo, texts: readonly LibraryText[]): Promise<void>;
}
