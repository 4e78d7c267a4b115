import { z } from "zod";
import { jsonOrText } from "../../json.ts";
import { checkArguments } from "../../reply-limits.ts";
import { storedResponse } from "../../stored-response.ts";

/*
 * Compatible servers deviate from OpenAI's replies in three ways that its client does not accept.
 */

/**
 * A fetch whose JSON replies OpenAI's client can read: JSON of another content type, or of none, is sent as JSON, an
 * error in the body of a 200 gets its status, and arguments of tool calls are JSON text.
 */
export function compatibleReplies(fetch: typeof globalThis.fetch): typeof globalThis.fetch {
  return async (input, init) => {
    const response = await fetch(input, init);
    if (!response.ok) return response;
    const text = await response.text();
    const { status } = response;
    const headers = new Headers(response.headers);
    if (headers.get("content-type")?.includes("json") !== true) {
      if (!isJsonObject(text)) return storedResponse(text, { status, headers });
      headers.set("content-type", "application/json");
    }
    // Most replies have neither, and need not be parsed here.
    if (!text.includes('"tool_calls"') && !text.includes('"error"'))
      return storedResponse(text, { status, headers });
    const body = jsonOrText(text);
    return storedResponse(withTextArguments(body) ?? text, {
      status: statusInBody(body) ?? status,
      headers,
    });
  };
}

function isJsonObject(text: string): boolean {
  return text.trimStart().startsWith("{") && typeof jsonOrText(text) === "object";
}

const Calls = z.looseObject({
  choices: z.array(
    z.looseObject({
      message: z.looseObject({
        tool_calls: z.array(z.looseObject({ function: z.looseObject({ arguments: z.unknown() }) })),
      }),
    }),
  ),
});

/**
 * A completion whose tool calls have their arguments as JSON text, as OpenAI's client needs them: some servers send an
 * object, and a model may write text that is not JSON, which becomes a JSON string. Null if no tool is called.
 * Throws `AttemptError` `unusable` for arguments beyond the limit.
 */
function withTextArguments(body: unknown): string | null {
  const read = Calls.safeParse(body);
  if (!read.success) return null;
  const calls = read.data.choices.flatMap(({ message }) => message.tool_calls);
  const texts = calls.map(({ function: { arguments: given } }) =>
    typeof given === "string" ? given : (JSON.stringify(given) ?? ""),
  );
  checkArguments(texts);
  for (const [index, call] of calls.entries()) {
    const given = call.function.arguments;
    if (given == null || given === "") continue;
    call.function.arguments =
      typeof given === "string" ? JSON.stringify(jsonOrText(given)) : texts[index];
  }
  return JSON.stringify(read.data);
}

const ErrorBody = z.looseObject({
  choices: z.null().or(z.tuple([])).optional(),
  error: z.looseObject({ code: z.unknown().optional() }).or(z.string().min(1)),
});

/** Status of an error that names no status: the server behind the router failed. */
const BAD_GATEWAY = 502;

/**
 * The status that an error in the body of a 200 names, 400 to 599: routers in front of several providers send it once
 * they have begun to answer. 502 if it names none, null if the body is not an error.
 */
function statusInBody(body: unknown): number | null {
  const { data } = ErrorBody.safeParse(body);
  if (data === undefined) return null;
  const code = typeof data.error === "string" ? Number.NaN : Number(data.error.code);
  return code >= 400 && code < 600 ? Math.floor(code) : BAD_GATEWAY;
}
