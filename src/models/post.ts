import { Failure } from "../core/errors.ts";
import { AttemptError, askedPause, codeOf } from "./attempt.ts";
import { wordsWithout } from "./json.ts";
import { isPieced, type PiecedBody, piecedInit } from "./media-body.ts";
import { type Fetch, modelFetch } from "./model-fetch.ts";
import { secretsOf, type Target } from "./target.ts";

/*
 * One request to an endpoint that LangChain's clients do not serve, or not well: transcriptions (missing); embeddings
 * (they pass on neither an abort nor the billed tokens, and Google's hides failures as empty vectors); Gemini's replies
 * (Google's client stops waiting after 300 s and hides the headers); and Gemini's Files API.
 */

interface RequestOptions {
  /** Its key never appears in an error, and its limits apply to the reply. */
  target: Pick<Target, "key" | "headers" | "limits">;
  headers: Record<string, string>;
  body?: string | ArrayBuffer | Uint8Array<ArrayBuffer> | PiecedBody;
  /** Default: until the signal aborts. */
  timeout_s?: number;
  signal: AbortSignal;
  /** Default: that of the target. */
  fetch?: Fetch | undefined;
  /** Reads the body of a refusal; default: the whole body is the server's message. */
  refusal?: (body: string) => RefusalWords;
}

/** What the body of a refusal says. `spent` and `tooMany` as in `Trouble`. */
export interface RefusalWords {
  words: string;
  retryAfter_s: number | null;
  spent?: true;
  tooMany?: true;
}

/** Posts once and returns the body of a 200; anything else is an `AttemptError`, or the signal's reason. */
export async function postOnce(url: string, sent: RequestOptions): Promise<string> {
  return (await requestOnce("POST", url, sent)).text;
}

/** As `postOnce`, by any method, with the headers of the reply. */
export async function requestOnce(
  method: "POST" | "GET" | "DELETE",
  url: string,
  { target, headers, body, timeout_s, signal, refusal, fetch = modelFetch(target) }: RequestOptions,
): Promise<{ text: string; headers: Headers }> {
  const secrets = secretsOf(target);
  const late = timeout_s === undefined ? null : AbortSignal.timeout(timeout_s * 1000);
  let response: Response;
  let text: string;
  try {
    response = await fetch(url, {
      method,
      headers,
      ...(isPieced(body) ? piecedInit(body) : { body }),
      signal: late === null ? signal : AbortSignal.any([signal, late]),
    });
    text = await response.text();
  } catch (error) {
    signal.throwIfAborted();
    if (late?.aborted) throw new AttemptError({ kind: "timeout" }, `no reply after ${timeout_s} s`);
    if (error instanceof AttemptError || error instanceof Failure) throw error;
    const code = codeOf(error);
    const isUnreached = code === "ECONNREFUSED" || code === "ENOTFOUND" || code === "EAI_AGAIN";
    throw new AttemptError(
      { kind: isUnreached ? "refused-connection" : "dropped" },
      code ?? wordsWithout(secrets, error),
    );
  }
  const { status } = response;
  if (status === 200) return { text, headers: response.headers };
  const read = refusal?.(text);
  const retryAfter_s = askedPause(response.headers) ?? read?.retryAfter_s ?? null;
  throw new AttemptError(
    {
      kind: "status",
      status,
      retryAfter_s,
      ...(read?.spent ? { spent: true } : {}),
      ...(read?.tooMany ? { tooMany: true } : {}),
    },
    wordsWithout(secrets, read?.words ?? text),
  );
}
