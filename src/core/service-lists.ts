import type { QuestionRow, UploadRow } from "./service-rows.ts";

/* Lists of the service that are read in pages. */

export const ORDERS = ["asc", "desc"] as const;

/** The place of a row in a sorted list: the value that the list is sorted by, and the id, which decides between equals. */
export interface ListPosition {
  value: string | number;
  id: string;
}

/** One page of a list: at most `limit` rows after `after`; null: from the start. */
export interface PageRequest {
  order: (typeof ORDERS)[number];
  limit: number;
  after: ListPosition | null;
}

export const UPLOAD_SORTS = ["created", "name", "duration", "questions"] as const;

/** Which videos of an owner are listed. Missing filters match all. */
export interface UploadFilter {
  owner: string;
  /** Part of the name, in any case. */
  q?: string | undefined;
  tag?: string | undefined;
}

/** A complete upload, as lists show it. */
export interface ListedUpload {
  row: UploadRow;
  /** Number of questions about it. */
  questions: number;
  /** In alphabetical order. */
  tags: string[];
}

/** Which questions are listed. Missing filters match all. */
export interface QuestionFilter {
  /** Null: all owners. */
  owner: string | null;
  upload?: string | undefined;
  state?: string | undefined;
  /** `none`: not reviewed. */
  verdict?: string | undefined;
  strategy?: string | undefined;
  model?: string | undefined;
  /** Part of the question or the goal, in any case. */
  q?: string | undefined;
  /** Milliseconds since 1970, both included. */
  since?: number | undefined;
  until?: number | undefined;
}

/** `total` counts all rows that match the filter. `last`: the position of the last row, null if the list ends there. */
export interface ListPage<Row> {
  rows: Row[];
  total: number;
  last: ListPosition | null;
}

/** A page is read by the position of its last row, so that rows that are added or removed neither repeat nor hide others. */
export interface ServiceLists {
  listUploads(
    filter: UploadFilter,
    sort: (typeof UPLOAD_SORTS)[number],
    page: PageRequest,
  ): Promise<ListPage<ListedUpload>>;
  /** The tags of an owner's complete uploads, in alphabetical order, with the number of uploads. */
  tagsOf(owner: string): Promise<{ tag: string; videos: number }[]>;
  /** The number of questions and the tags of one upload. */
  aboutUpload(id: string): Promise<Omit<ListedUpload, "row">>;
  /** By the time of creation. */
  listQuestions(filter: QuestionFilter, page: PageRequest): Promise<ListPage<QuestionRow>>;
  /** Replaces the name or the tags of an upload. Returns whether the upload exists. */
  editUpload(
    id: string,
    change: { name?: string | undefined; tags?: readonly string[] | undefined },
  ): Promise<boolean>;
}
