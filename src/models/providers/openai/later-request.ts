import type { Fetch } from "../../model-fetch.ts";

/* Requests of OpenAI's client that differ from its first only in their bodies. */

/** What a request of OpenAI's client says of itself, besides its body. */
export interface RequestHead {
  url: Parameters<Fetch>[0];
  headers: RequestInit["headers"];
}

/** Whether OpenAI's client only sends it and parses the reply. A format of the reply has headers and checks of its own. */
export function isPlainRequest(body: { response_format?: unknown }): boolean {
  return body.response_format == null;
}

/**
 * Sends a plain request with the head of an earlier one, which saves the CPU time in which OpenAI's client would write it.
 * Anything but a JSON reply is left to that client: `again` is a fetch that gives it the same reply or error, so that
 * nothing is sent twice. `fetch` must return replies that can be read twice.
 */
export async function sendLike(
  { url, headers }: RequestHead,
  body: object,
  fetch: Fetch,
  signal: AbortSignal | undefined,
): Promise<{ parsed: unknown } | { again: Fetch }> {
  const request = { method: "POST", headers, body: JSON.stringify(body), signal };
  let response: Response;
  try {
    response = await fetch(url, request as RequestInit);
  } catch (error) {
    return { again: () => Promise.reject(error) };
  }
  const again = async () => response;
  if (!response.ok || !isJson(response)) return { again };
  const text = await response.text();
  try {
    return { parsed: JSON.parse(text) };
  } catch {
    return { again };
  }
}

function isJson({ headers }: Response): boolean {
  return headers.get("content-type")?.includes("application/json") === true;
}
