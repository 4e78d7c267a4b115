import { z } from "zod";
import type { Store } from "../../core/contracts.ts";
import type { CallRecord } from "../../core/events.ts";
import type { ChatRequest, Message, Part } from "../../models/chat.ts";
import { TraceMessage, type TraceView } from "./api-trace.ts";
import { lastRun } from "./export-question.ts";
import { messageForCaller } from "./problems.ts";

/** Most characters of one text of a request that are kept, and of one trace that is returned. */
const LONGEST_TEXT = 100_000;
const LONGEST_TRACE = 8_000_000;

/**
 * Stores what is sent to a model, with the video, and returns its id. Returns undefined if it cannot be stored: a call
 * does not fail for its trace.
 */
export async function keepRequest(
  { blobs }: Pick<Store, "blobs">,
  video: string,
  { messages }: ChatRequest,
): Promise<string | undefined> {
  const bytes = new TextEncoder().encode(JSON.stringify(messages.map(toTraceMessage)));
  return blobs.put(video, bytes, "json").then(
    ({ hash }) => hash,
    () => undefined,
  );
}

function toTraceMessage(message: Message): TraceMessage {
  const { role } = message;
  if (message.role === "system") return { role, parts: [textPart(message.text)] };
  if (message.role !== "assistant") return { role, parts: message.parts.map(toTracePart) };
  const tools = message.toolCalls.map(({ name, arguments: given }) =>
    textPart(`${name} ${JSON.stringify(given)}`),
  );
  return { role, parts: [...(message.text === "" ? [] : [textPart(message.text)]), ...tools] };
}

function toTracePart(part: Part): TraceMessage["parts"][number] {
  if (part.type === "text") return textPart(part.text);
  const label = part.label ?? null;
  if (part.type !== "image") return { type: part.type, label };
  return { type: "image", frame: part.frame.hash, t_s: part.frame.t_s, label };
}

function textPart(text: string) {
  return { type: "text", text: text.slice(0, LONGEST_TEXT) } as const;
}

/** Every model call of the last run of a question, in the order of their replies. */
export async function readTrace(store: Store, question: string): Promise<TraceView> {
  const calls = lastRun(await store.events.after(question, 0)).flatMap((event) =>
    event.type === "call" ? [{ stage: event.stage, call: event.call }] : [],
  );
  const shown: TraceView["calls"] = [];
  let length = 0;
  for (const { stage, call } of calls) {
    const messages = await readRequest(store, call);
    length += JSON.stringify(messages).length + call.text.length;
    if (length > LONGEST_TRACE) break;
    shown.push(toTraceCall(stage, call, messages));
  }
  return { calls: shown, more: calls.length - shown.length };
}

async function readRequest({ blobs }: Store, { request }: CallRecord) {
  if (request === undefined) return null;
  try {
    const json: unknown = JSON.parse(new TextDecoder().decode(await blobs.read(request)));
    return z.array(TraceMessage).parse(json);
  } catch {
    // Pruned or damaged: the rest of the call is still shown.
    return null;
  }
}

function toTraceCall(
  stage: string,
  call: CallRecord,
  messages: TraceMessage[] | null,
): TraceView["calls"][number] {
  const { label, role, model, frames, text, finish, cached, usage, seconds } = call;
  return {
    ...{ stage, label, role, model, messages, finish, cached, usage, seconds },
    frames: frames.map(({ hash, t_s }) => ({ hash, t_s })),
    reply: text,
    tools: call.tools ?? [],
    error:
      call.error === undefined ? null : { ...call.error, message: messageForCaller(call.error) },
    waited_s: call.waited_s ?? 0,
    retries: call.retried?.requests ?? 0,
  };
}
