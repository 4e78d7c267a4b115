import { jsonOrText } from "../../json.ts";
import { honestStatus } from "./honest-status.ts";
import { legibleCalls } from "./legible-calls.ts";

/** A fetch whose JSON replies are as OpenAI's client needs them: see `honest-status.ts` and `legible-calls.ts`. */
export function mendedReplies(fetch: typeof globalThis.fetch): typeof globalThis.fetch {
  return async (input, init) => {
    const response = await fetch(input, init);
    const isJson = response.headers.get("content-type")?.includes("json") === true;
    if (!response.ok || !isJson) return response;
    const text = await response.text();
    const body = jsonOrText(text);
    return new Response(legibleCalls(body) ?? text, {
      status: honestStatus(body) ?? response.status,
      headers: response.headers,
    });
  };
}
