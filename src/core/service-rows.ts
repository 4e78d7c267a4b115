/** A file uploaded to the service; `video` is null until the upload is complete and is recognized as media. */
export interface UploadRow {
  id: string;
  /** Name of the access key of the upload; '' if the service requires no key. */
  owner: string;
  name: string;
  /** Announced size in bytes. */
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

/** Ids of the evidence sets of a question that people edited: the set of its answer, and the current one. */
export interface EditedSets {
  first: string;
  now: string;
}

/** A question about an upload; `json` is in the service's own format. Its events are stored under `id`. */
export interface QuestionRow {
  id: string;
  upload: string;
  owner: string;
  /** Whether it has not ended yet. */
  open: boolean;
  created_at: number;
  json: string;
}
