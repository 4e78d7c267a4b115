/** A request with an `Idempotency-Key`, and its response once there is one. */
export interface IdempotentRequest {
  owner: string;
  key: string;
  /** The id of the upload or question that the response is about; its deletion erases the body. */
  about: string | null;
  /** Hash of the request. */
  request: string;
  /** The id of what the request creates. It is chosen before, so that a crash in between creates nothing twice. */
  made: string;
  /** Milliseconds since 1970. */
  created_at: number;
  /** Null until the request succeeded. */
  response: {
    status: number;
    /** Path of what was created, if the response names one. */
    location: string | null;
    /** JSON; null once what was created is deleted. */
    body: string | null;
  } | null;
}

/** Requests that are answered once for each key of an owner. */
export interface IdempotentRequests {
  idempotent(owner: string, key: string): Promise<IdempotentRequest | undefined>;
  /** Writes or replaces the record of (owner, key). */
  putIdempotent(request: IdempotentRequest): Promise<void>;
  dropIdempotent(owner: string, key: string): Promise<void>;
  countIdempotent(owner: string): Promise<number>;
  /** Removes the records from before an instant. */
  sweepIdempotent(before: number): Promise<void>;
}
