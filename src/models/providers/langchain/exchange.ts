import { z } from "zod";
import {
  AttemptError,
  type AttemptReply,
  askedPause,
  type MediaSource,
  unusable,
} from "../../attempt.ts";
import { failedToolCall } from "../../failed-tool-call.ts";
import { jsonOrText, wordsWithout } from "../../json.ts";
import { withMedia } from "../../media-body.ts";
import { checkOrigin, type Fetch, modelFetch, withHeaders } from "../../model-fetch.ts";
import { secretsOf, type Target } from "../../target.ts";

/** The traffic between an integration and the server during one request. */
export interface Exchange {
  /** The fetch for the integration. It sends requests only to the origin of the target. */
  fetch: Fetch;
  /** The failure of the request or its reply, because integrations throw their own errors instead. */
  failure(): unknown;
  /** Whether a complete reply with a success status arrived. */
  hasReply(): boolean;
  /** The reply that an error stands for, if the model failed to write a call of a tool. */
  failedCall(): AttemptReply | null;
}

/**
 * A fetch for one request. It replaces the marks by the media, adds the headers of `--header`, and adds `members` to the
 * body. An error response becomes an `AttemptError` here, because integrations hide its headers or retry by themselves.
 */
export function createExchange(
  target: Target,
  fill: MediaSource["fill"],
  members: Readonly<Record<string, unknown>> | undefined,
  signal: AbortSignal,
): Exchange {
  const send = withMedia(withHeaders(modelFetch(target), target.headers), fill);
  let failure: unknown;
  let hasReply = false;
  let failedCall: AttemptReply | null = null;
  return {
    fetch: async (input, init) => {
      try {
        const { url, headers, body, ...rest } = await plainRequest(input, init);
        checkOrigin(new URL(target.baseUrl), url, target);
        headers.delete("content-length");
        const signals = [signal, ...(rest.signal ? [rest.signal] : [])];
        const response = await send(url, {
          ...rest,
          headers,
          body: members === undefined ? body : withMembers(body, members),
          signal: AbortSignal.any(signals),
        });
        const text = await response.text();
        if (!response.ok) failedCall = failedToolCall(jsonOrText(text));
        const reply = checkedReply(response, text, target);
        hasReply = true;
        return reply;
      } catch (error) {
        failure = error;
        throw error;
      }
    },
    failure: () => failure,
    hasReply: () => hasReply,
    failedCall: () => failedCall,
  };
}

interface PlainRequest extends Pick<RequestInit, "method" | "signal"> {
  url: URL;
  headers: Headers;
  body: string | undefined;
}

/** A request with its body as text; some integrations pass a `Request`. */
async function plainRequest(
  input: Parameters<Fetch>[0],
  init: Parameters<Fetch>[1],
): Promise<PlainRequest> {
  if (input instanceof Request) {
    const { url, method, headers, signal } = input;
    return { url: new URL(url), method, headers, signal, body: await input.text() };
  }
  const { method, headers, signal, body } = init ?? {};
  return {
    url: new URL(input),
    method,
    signal,
    headers: new Headers(headers),
    body: typeof body === "string" ? body : await new Response(body).text(),
  };
}

/** A JSON body with more members; members of objects are merged into the object of the same name. */
function withMembers(
  body: string | undefined,
  members: Readonly<Record<string, unknown>>,
): string | undefined {
  const json = jsonOrText(body ?? "");
  return isObject(json) ? JSON.stringify(merged(json, members)) : body;
}

function merged(
  into: Record<string, unknown>,
  members: Readonly<Record<string, unknown>>,
): Record<string, unknown> {
  const result = { ...into };
  for (const [name, value] of Object.entries(members)) {
    const present = result[name];
    result[name] = isObject(present) && isObject(value) ? merged(present, value) : value;
  }
  return result;
}

function isObject(value: unknown): value is Record<string, unknown> {
  return typeof value === "object" && value !== null && !Array.isArray(value);
}

/** The reply with this text. Throws `AttemptError` `status` for an error, even in the body of a 200. */
function checkedReply(response: Response, text: string, target: Target): Response {
  const { status, headers } = response;
  const said = readError(text);
  if (!response.ok || said !== null)
    throw new AttemptError(
      {
        kind: "status",
        status: response.ok ? (said?.status ?? BAD_GATEWAY) : status,
        retryAfter_s: askedPause(headers),
        ...(said?.spent ? { spent: true } : {}),
      },
      wordsWithout(secretsOf(target), said?.words ?? text),
    );
  const isStream = headers.get("content-type")?.includes("event-stream") === true;
  // A class may print a body that it cannot parse.
  if (!isStream && !isJson(text)) throw unusable("not JSON");
  return new Response(text, { status, headers });
}

/** Parses one JSON value, or one per line. */
function isJson(text: string): boolean {
  const isValue = (words: string) => words.trim() !== "" && typeof jsonOrText(words) !== "string";
  return isValue(text) || text.trim().split("\n").every(isValue);
}

/** Status of an error that names no status: the server failed after it had begun to reply. */
const BAD_GATEWAY = 502;

const ErrorObject = z.looseObject({
  message: z.string().optional().catch(undefined),
  code: z.unknown().optional(),
});
const ErrorBody = z.looseObject({ error: z.union([z.string().min(1), ErrorObject]) });

interface ServerError {
  words: string;
  status: number | null;
  spent: boolean;
}

/** The error in a body, in its last line if it has several; null if there is none. */
function readError(text: string): ServerError | null {
  const whole = jsonOrText(text);
  const json = isObject(whole) ? whole : jsonOrText(text.trimEnd().split("\n").at(-1) ?? "");
  const read = ErrorBody.safeParse(json);
  if (!read.success) return null;
  const { error } = read.data;
  if (typeof error === "string") return { words: error, status: null, spent: false };
  const code = Number(error.code);
  return {
    words: error.message ?? JSON.stringify(error),
    status: code >= 400 && code < 600 ? Math.floor(code) : null,
    spent: error.code === "insufficient_quota",
  };
}
