/*
 * The audit log: who did what and when. An entry holds ids and names, never what a video shows or a question says, and
 * stays when the thing is removed.
 */

/** What was done, such as `video.deleted`. */
export type AuditAction = string;

/** One entry, as it is appended. */
export interface NewAuditEntry {
  /** Milliseconds since 1970. */
  at: number;
  /** Name of the key, or who else did it, such as `command line`. */
  who: string;
  /** Address of the client; '' for a command. */
  address: string;
  action: AuditAction;
  video?: string | null;
  /** Name of the video at that time. */
  name?: string | null;
  question?: string | null;
  evidence?: string | null;
  /** More ids, names and counts. */
  details?: Record<string, unknown>;
}

/** A stored entry. `id` increases with every entry and is never used again. */
export type AuditEntry = Required<NewAuditEntry> & { id: number };

/** Which entries are listed. Missing filters match all. */
export interface AuditFilter {
  /** Milliseconds since 1970: from `since`, before `until`. */
  since?: number | undefined;
  until?: number | undefined;
  who?: string | undefined;
  action?: string | undefined;
  video?: string | undefined;
}

/** Entries are appended and read. Only `prune` removes some, and says so in the log. */
export interface AuditLog {
  append(entry: NewAuditEntry): Promise<void>;
  /** Newest first: at most `limit` entries with an id below `before`. */
  list(filter: AuditFilter, limit: number, before: number | null): Promise<AuditEntry[]>;
  count(filter: AuditFilter): Promise<number>;
  /** Removes the entries before an instant, and returns their number. */
  prune(before: number, by: Pick<NewAuditEntry, "who" | "address">): Promise<number>;
}
