import type { QuestionRow } from "./service-rows.ts";

/** Who answers questions: a service that answers them itself, one that leaves them to workers, or a worker. */
export const REPLICA_ROLES = ["service", "front", "worker"] as const;
/** One of `REPLICA_ROLES`. */
export type ReplicaRole = (typeof REPLICA_ROLES)[number];

/** Where a process looks for the files of videos. */
export interface ReplicaFiles {
  /** Identifies its data folder. */
  folder: string;
  /** Where it keeps the bytes of videos, for messages; null: in its data folder. */
  blobs: string | null;
}

/** A service that shares a store with others, or a worker of services. */
export interface Replica extends ReplicaFiles {
  role: ReplicaRole;
}

/** A video or a question of a service that was made, changed or removed. */
export interface ServiceChange {
  owner: string;
  video: string;
  /** Null: only the video changed. */
  question: string | null;
}

/** Starts of a question after which it is parked, if each ended its process. */
export const MOST_STARTS = 3;

/** A claimed question. */
export interface ClaimedQuestion {
  row: QuestionRow;
  /** A caller wants it to end. */
  cancelled: boolean;
  /** How often it was claimed by processes that did not end it, this time included; those that gave it back do not count. */
  starts: number;
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
  /** Ends the registration. */
  leave(): Promise<void>;
  /** The services and their workers that run. */
  list(): Promise<Replica[]>;
  /** What workers need to answer the questions of the services of this store, as JSON; null: the services answer them. */
  plan(): Promise<string | null>;
  putPlan(json: string | null): Promise<void>;
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
  /**
   * Gives back the claims of this process on other questions, for example after the reply to a claim was lost. They do not
   * count as starts.
   */
  keepOnly(ids: readonly string[]): Promise<void>;
  /** Asks whoever runs a question to end it. */
  cancel(id: string): Promise<void>;
  /** The same for all questions about an upload. Returns how many still run elsewhere. */
  cancelUpload(upload: string): Promise<number>;
  /** Writes new questions; false, and nothing is written, if an upload was removed. */
  add(rows: readonly QuestionRow[]): Promise<boolean>;
  /** Open questions of an owner, whoever runs them. */
  countOpen(owner: string): Promise<number>;
  /** Questions that no running process has. */
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
  /** Takes the answer if fewer than `most` others took it within `life_ms`, those named `except` not counted: one at a time. */
  take(
    question: string,
    rater: string,
    blind: boolean,
    others: { most: number; except: string; life_ms: number },
  ): Promise<boolean>;
  /** The lease so far; null if there is none within `life_ms`. */
  find(
    question: string,
    rater: string,
    life_ms: number,
  ): Promise<{ seconds: number; blind: boolean } | null>;
  end(question: string, rater: string): Promise<void>;
}
