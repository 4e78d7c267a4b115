import type { ChatReply, ChatRequest } from "./chat.ts";
import type { SentBody } from "./media-body.ts";
import type { ReportedTokens } from "./tokens.ts";

/** The result of one attempt. `tokens` is null if the server did not count them. */
export type AttemptReply = Omit<ChatReply, "tokens"> & { tokens: ReportedTokens | null };

/** Where a client finds the media of a request when it is about to be sent. */
export interface MediaSource {
  /** The mark that is written into a request instead of a medium's base64. */
  mark(hash: string): string;
  /** The JSON of a request with base64 instead of the marks; media are read while it is sent. */
  fill(json: string): Promise<SentBody>;
  /** Address of the same file at the provider; null for media that are sent inside the request. */
  uri(hash: string): string | null;
}

/**
 * A provider's client: one request, one reply, no retry. Throws `AttemptError` or the signal's reason. `fetch` sends the
 * request instead of the client's own fetch; a provider with a `batch` supports it.
 */
export type Client = (
  request: ChatRequest,
  media: MediaSource,
  signal: AbortSignal,
  fetch?: typeof globalThis.fetch,
) => Promise<AttemptReply>;

/**
 * Why an attempt failed:
 * `refused-connection`: no server was reached; `dropped`: the connection ended before a reply began, or in its middle;
 * `timeout`: our own time limit; `status`: the server refused; `unusable`: a reply that does not follow the protocol.
 * `redirected`: to another origin, which must not get the key or the request.
 * `spent`: the account's quota is used up, so that waiting does not help. `permanent`: the server does not support what
 * the request contains, although its status is one of a passing failure. `tooMany`: the request has more texts than the
 * server accepts at once. `advice`: what the user can do, as a clause.
 */
export type Trouble =
  | { kind: "refused-connection" | "dropped" | "timeout" }
  | { kind: "unusable" }
  | { kind: "redirected"; from: string; to: string }
  | {
      kind: "status";
      status: number;
      retryAfter_s: number | null;
      spent?: true;
      permanent?: true;
      tooMany?: true;
      advice?: string;
    };

/** `message` contains the words of the server or of the system, never a key. */
export class AttemptError extends Error {
  readonly trouble: Trouble;

  constructor(trouble: Trouble, words: string) {
    super(words);
    this.name = "AttemptError";
    this.trouble = trouble;
  }
}

/** A reply that does not follow the protocol; `what` completes "a body that is ...". */
export function unusable(what: string): AttemptError {
  return new AttemptError({ kind: "unusable" }, `a body that is ${what}`);
}

/** Seconds that a `Retry-After` header asks for, in either form (a number or a date); null if it cannot be read. */
export function retryAfterSeconds(value: string | null, now: number = Date.now()): number | null {
  if (value === null || value.trim() === "") return null;
  const seconds = Number(value);
  if (Number.isFinite(seconds)) return Math.max(0, seconds);
  const date = Date.parse(value);
  return Number.isNaN(date) ? null : Math.max(0, (date - now) / 1000);
}

/** `retryAfterSeconds` of a response; a date is counted from the server's own `Date`, not from this machine's clock. */
export function askedPause(headers: Pick<Headers, "get"> | undefined): number | null {
  const theirs = Date.parse(headers?.get("date") ?? "");
  const value = headers?.get("retry-after") ?? null;
  return retryAfterSeconds(value, Number.isNaN(theirs) ? Date.now() : theirs);
}

/** The system's code of an error (`ECONNREFUSED`) or of one of its causes. */
export function codeOf(error: unknown): string | undefined {
  for (const link of causes(error))
    if ("code" in link && typeof link.code === "string") return link.code;
  return undefined;
}

/** The error, or the one of its causes, that carries an HTTP status: LangChain wraps some into errors that carry none. */
export function answerOf(error: unknown): { status: number; from: object } | undefined {
  for (const link of causes(error))
    if ("status" in link && typeof link.status === "number")
      return { status: link.status, from: link };
  return undefined;
}

function* causes(error: unknown): Generator<object> {
  let link = error;
  while (typeof link === "object" && link !== null) {
    yield link;
    link = "cause" in link ? link.cause : undefined;
  }
}
