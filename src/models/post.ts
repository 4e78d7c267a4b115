import { AttemptError, askedPause, codeOf } from "./attempt.ts";
import { wordsWithout } from "./json.ts";
import { type PiecedBody, piecedInit } from "./media-body.ts";
import { modelFetch } from "./model-fetch.ts";
import { secretsOf, type Target } from "./target.ts";

/*
 * One request to an endpoint for which the clients of LangChain do not serve: transcriptions, which they lack;
 * embeddings, of which they hand on neither an abort nor the tokens billed (and Google's hides failures as empty vectors);
 * Gemini's replies, of which Google's ends the wait after 300 s and hides the headers; and its Files API.
 */

interface Sent {
  /** Whose key is never repeated in an error's words, and whose limits the reply has to keep. */
  target: Pick<Target, "key" | "headers" | "limits">;
  headers: Record<string, string>;
  body?: string | ArrayBuffer | Uint8Array<ArrayBuffer> | PiecedBody;
  /** Default: for as long as the signal lets it. */
  timeout_s?: number;
  signal: AbortSignal;
  /** What is read from the body of a refusal; default: all of it are the server's words. */
  refusal?: (body: string) => { words: string; retryAfter_s: number | null };
}

function isPieced(body: Sent["body"]): body is PiecedBody {
  return typeof body === "object" && Symbol.asyncIterator in body;
}

/** Posts once and returns the body of a 200; anything else is an `AttemptError`, or the signal's reason. */
export async function postOnce(url: string, sent: Sent): Promise<string> {
  return (await requestOnce("POST", url, sent)).text;
}

/** As `postOnce`, by any method, with the headers of the reply. */
export async function requestOnce(
  method: "POST" | "GET" | "DELETE",
  url: string,
  { target, headers, body, timeout_s, signal, refusal }: Sent,
): Promise<{ text: string; headers: Headers }> {
  const secrets = secretsOf(target);
  const late = timeout_s === undefined ? null : AbortSignal.timeout(timeout_s * 1000);
  let response: Response;
  let text: string;
  try {
    response = await modelFetch(target)(url, {
      method,
      headers,
      ...(isPieced(body) ? piecedInit(body) : { body }),
      signal: late === null ? signal : AbortSignal.any([signal, late]),
    });
    text = await response.text();
  } catch (error) {
    signal.throwIfAborted();
    if (late?.aborted)
      throw new AttemptError({ kind: "timeout" }, `none had come after ${timeout_s} s`);
    if (error instanceof AttemptError) throw error;
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
    { kind: "status", status, retryAfter_s },
    wordsWithout(secrets, read?.words ?? text),
  );
}
