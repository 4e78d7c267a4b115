import { z } from "zod";
import { jsonOrText } from "../../json.ts";
import { checkArguments } from "../../reply-limits.ts";
import { isStored, storedResponse } from "../../stored-response.ts";
import { completionOfEvents, isEventStream } from "./event-stream.ts";

/*
 * Compatible servers deviate from OpenAI's replies in ways that its client does not accept.
 */

/**
 * A fetch whose JSON replies OpenAI's client can read: JSON of another content type, or of none, is sent as JSON, a
 * stream of events as the completion that it makes, an error in the body of a 200 gets its status, and arguments of tool
 * calls are JSON text.
 */
export function compatibleReplies(fetch: typeof globalThis.fetch): typeof globalThis.fetch {
  return async (input, init) => {
    const response = await fetch(input, init);
    if (!response.ok) return response;
    const received = await response.text();
    const made = isEventStream(received) ? completionOfEvents(received) : null;
    const text = made === null ? received : JSON.stringify(made);
    const { status } = response;
    // Most replies are such, and can be read again.
    if (made === null && isStored(response) && isPlainJson(response, text)) return response;
    const headers = new Headers(response.headers);
    if (headers.get("content-type")?.includes("json") !== true) {
      if (!isJsonObject(text)) return storedResponse(text, { status, headers });
      headers.set("content-type", "application/json");
    }
    if (needsNothing(text)) return storedResponse(text, { status, headers });
    const body = jsonOrText(text);
    return storedResponse(withTextArguments(body) ?? text, {
      status: statusInBody(body) ?? status,
      headers,
    });
  };
}

function isPlainJson({ headers }: Response, text: string): boolean {
  return headers.get("content-type")?.includes("json") === true && needsNothing(text);
}

/** Most replies have neither, and need not be parsed here. */
function needsNothing(text: string): boolean {
  return !text.includes('"tool_calls"') && !text.includes('"error"');
}

function isJsonObject(text: string): boolean {
  return text.trimStart().startsWith("{") && typeof jsonOrText(text) === "object";
}

const Call = z.looseObject({
  id: z
    .union([z.string(), z.number().transform(String)])
    .nullish()
    .catch(null),
  function: z.looseObject({ name: z.string(), arguments: z.unknown().optional() }),
});

const Calls = z.looseObject({
  choices: z.array(
    z.looseObject({
      message: z.looseObject({
        tool_calls: z
          .array(Call.nullable().catch(null))
          .transform((calls) => calls.filter((call) => call !== null)),
      }),
    }),
  ),
});

/**
 * A completion whose tool calls have their arguments as JSON text, as OpenAI's client needs them: some servers send an
 * object, or nothing, and a model may write text that is not JSON, which becomes a JSON string. Calls without a name are
 * left out. Null if no tool is called. Throws `AttemptError` `unusable` for arguments beyond the limit.
 */
function withTextArguments(body: unknown): string | null {
  const read = Calls.safeParse(body);
  if (!read.success) return null;
  const calls = read.data.choices.flatMap(({ message }) => message.tool_calls);
  const texts = calls.map(({ function: { arguments: given } }) =>
    typeof given === "string" ? given : (JSON.stringify(given ?? {}) ?? ""),
  );
  checkArguments(texts);
  for (const [index, call] of calls.entries()) {
    const text = texts[index] || "{}";
    const isText = typeof call.function.arguments === "string";
    call.function.arguments = isText ? JSON.stringify(jsonOrText(text)) : text;
  }
  return JSON.stringify(read.data);
}

const ErrorBody = z.looseObject({
  choices: z.null().or(z.tuple([])).optional(),
  error: z.looseObject({ code: z.unknown().optional() }).or(z.string().min(1)),
});

/** Status of an error that names no status: the server behind the router failed. */
const BAD_GATEWAY = 502;

const NOT_FOUND = 404;
/** LM Studio, by status 200, at an address without `/v1`. */
const UNKNOWN_PATH = /^unexpected endpoint/i;

/**
 * The status that an error in the body of a 200 names, 400 to 599: routers in front of several providers send it once
 * they have begun to answer. 502 if it names none, null if the body is not an error.
 */
function statusInBody(body: unknown): number | null {
  const { data } = ErrorBody.safeParse(body);
  if (data === undefined) return null;
  const { error } = data;
  if (typeof error === "string" && UNKNOWN_PATH.test(error)) return NOT_FOUND;
  const code = typeof error === "string" ? Number.NaN : Number(error.code);
  return code >= 400 && code < 600 ? Math.floor(code) : BAD_GATEWAY;
}
