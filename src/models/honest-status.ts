import { z } from "zod";
import { jsonOrText } from "./json.ts";

const ErrorBody = z.looseObject({
  choices: z.null().or(z.tuple([])).optional(),
  error: z.looseObject({ code: z.unknown() }).or(z.string().min(1)),
});

/** Status of an error that names none: whoever the server asked in its turn has failed. */
const BAD_GATEWAY = 502;

/**
 * A fetch that gives an error in the body of a 200 the status it names, 400 to 599, as routers before several providers
 * send it once they have begun to answer; 502 where it names none.
 */
export function honestStatus(fetch: typeof globalThis.fetch): typeof globalThis.fetch {
  return async (input, init) => {
    const response = await fetch(input, init);
    const isJson = response.headers.get("content-type")?.includes("json") === true;
    if (!response.ok || !isJson) return response;
    const text = await response.text();
    const headers = new Headers(response.headers);
    // The text is no longer as it was sent.
    for (const name of ["content-encoding", "content-length"]) headers.delete(name);
    return new Response(text, { status: statusOf(text) ?? response.status, headers });
  };
}

function statusOf(body: string): number | null {
  const { data } = ErrorBody.safeParse(jsonOrText(body));
  if (data === undefined) return null;
  const code = typeof data.error === "string" ? null : Number(data.error.code);
  return code !== null && code >= 400 && code < 600 ? Math.floor(code) : BAD_GATEWAY;
}
