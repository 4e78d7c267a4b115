import type { QuestionRow } from "./service-rows.ts";

/** A service that shares a store with others. */
export interface Replica {
  /** Identifies its data folder. */
  folder: string;
  /** Where it keeps the bytes of videos, for messages; null: in its data folder. */
  blobs: string | null;
}

/** A video or a question of a service that was made, changed or removed. */
export interface ServiceChange {
  owner: string;
  video: string;
  /** Null: only the video changed. */
  question: string | null;
}

/** A claimed question. `cancelled`: a caller wants it to end. */
export interface ClaimedQuestion {
  row: QuestionRow;
  cancelled: boolean;
}

/** What is to be done about a question that this process runs: nothing, end it, or leave it to whoever has it now. */
export type QuestionControl = "run" | "cancel" | "lost";

/**
 * Services of several processes on one store. Each open question is claimed by one of them. A claim ends with its process,
 * by the clock of the database, and then another one takes it.
 */
export interface Replicas {
  /** Registers this process as a service until the store is closed, and returns the others. */
  join(own: Replica): Promise<Replica[]>;
  /** The services that run. */
  list(): Promise<Replica[]>;
  /**
   * Claims the next open question that no running process has: of the owner with the fewest running ones, then the oldest.
   * Leaves out owners of whom this process runs `most`. Null: there is none.
   */
  claim(most: number): Promise<ClaimedQuestion | null>;
  /** Claims one question; false if it has ended or another process has it. */
  claimOne(id: string): Promise<boolean>;
  /** Writes the row of a claimed question; false, and nothing is written, if the claim was lost or the question removed. */
  put(row: QuestionRow): Promise<boolean>;
  control(ids: readonly string[]): Promise<Map<string, QuestionControl>>;
  /** Gives back the claims of this process on other questions, for example after the reply to a claim was lost. */
  keepOnly(ids: readonly string[]): Promise<void>;
  /** Asks whoever runs a question to end it. */
  cancel(id: string): Promise<void>;
  /** The same for all questions about an upload. Returns how many still run elsewhere. */
  cancelUpload(upload: string): Promise<number>;
  /** Writes new questions; false, and nothing is written, if an upload was removed. */
  add(rows: readonly QuestionRow[]): Promise<boolean>;
  /** Open questions of an owner, whoever runs them. */
  countOpen(owner: string): Promise<number>;
  /** Questions that wait for a process. */
  countWaiting(): Promise<number>;
  /** Ends the claims of processes of this machine that have ended. */
  sweep(): Promise<void>;
  /** Calls back for each change, by whatever process. Changes may be missed: look again from time to time. */
  watch(onChange: (change: ServiceChange) => void): Promise<{ stop(): Promise<void> }>;
  sessions: Sessions;
  reviews: SharedReviewLeases;
}

/** Sessions of browsers, by the hash of their id. */
export interface Sessions {
  open(id: string, token: string, life_ms: number): Promise<void>;
  /** The hash of the token of a session that has not ended. */
  tokenOf(id: string): Promise<string | undefined>;
  close(id: string): Promise<void>;
}

/** Which rater has which answer in review. */
export interface SharedReviewLeases {
  /** The number of other raters that took the answer within `life_ms`, without those named `except`. */
  others(question: string, rater: string, except: string, life_ms: number): Promise<number>;
  take(question: string, rater: string, blind: boolean): Promise<void>;
  /** Ends the lease; null if there was none within `life_ms`. */
  end(
    question: string,
    rater: string,
    life_ms: number,
  ): Promise<{ seconds: number; blind: boolean } | null>;
}
