import { AttemptError, codeOf, retryAfterSeconds } from "./attempt.ts";
import { wordsWithout } from "./json.ts";
import { patientFetch } from "./patient-fetch.ts";

/*
 * One request to an endpoint for which the clients of LangChain do not serve: transcriptions, which they lack, and
 * embeddings, of which they hand on neither an abort nor the tokens billed (and Google's hides failures as empty vectors).
 */

let fetching: ReturnType<typeof patientFetch> | undefined;

/** Posts once and returns the body of a 200; anything else is an `AttemptError`, or the signal's reason. */
export async function postOnce(
  url: string,
  {
    headers,
    body,
    key,
    timeout_s,
    signal,
  }: {
    headers: Record<string, string>;
    body: string | ArrayBuffer;
    /** Never repeated in an error's words. */
    key: string;
    timeout_s: number;
    signal: AbortSignal;
  },
): Promise<string> {
  fetching ??= patientFetch();
  const late = AbortSignal.timeout(timeout_s * 1000);
  let status: number;
  let retryAfter: string | null;
  let text: string;
  try {
    const response = await (await fetching)(url, {
      method: "POST",
      headers,
      body,
      signal: AbortSignal.any([signal, late]),
    });
    status = response.status;
    retryAfter = response.headers.get("retry-after");
    text = await response.text();
  } catch (error) {
    signal.throwIfAborted();
    if (late.aborted)
      throw new AttemptError({ kind: "timeout" }, `none had come after ${timeout_s} s`);
    const code = codeOf(error);
    const isUnreached = code === "ECONNREFUSED" || code === "ENOTFOUND" || code === "EAI_AGAIN";
    throw new AttemptError(
      { kind: isUnreached ? "refused-connection" : "dropped" },
      code ?? wordsWithout(key, error),
    );
  }
  if (status === 200) return text;
  throw new AttemptError(
    { kind: "status", status, retryAfter_s: retryAfterSeconds(retryAfter) },
    wordsWithout(key, text),
  );
}
