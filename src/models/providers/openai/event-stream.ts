import { z } from "zod";
import { unusable } from "../../attempt.ts";
import { jsonOrText } from "../../json.ts";
import { ReasoningMembers } from "./request-body.ts";

/*
 * Some servers send a reply as a stream of events although none was asked for (`transformers serve`, Unsloth).
 */

/** A reply has an event for each token. */
const MOST_EVENTS = 100_000;

const Text = z.string().nullish().catch(null);

const Chunk = z.object({
  choices: z
    .array(
      z.object({
        index: z.number().catch(0),
        finish_reason: Text,
        delta: z
          .object({
            content: Text,
            refusal: Text,
            reasoning_content: ReasoningMembers.reasoning_content,
            reasoning: ReasoningMembers.reasoning,
            tool_calls: z
              .array(
                z.object({
                  index: z.number().nullish().catch(null),
                  id: Text,
                  function: z.object({ name: Text, arguments: Text }).nullish().catch(null),
                }),
              )
              .nullish()
              .catch(null),
          })
          .nullish()
          .catch(null),
      }),
    )
    .nullish()
    .catch(null),
  usage: z.unknown().optional(),
  error: z.unknown().optional(),
});

/** Whether a body is a stream of events: its lines are fields, or comments that keep the connection open. */
export function isEventStream(body: string): boolean {
  return /^\s*(?:data|event|id|retry)?:/.test(body);
}

/**
 * The completion, or the error, that the events of a stream make together: those of its first choice. A stream that was
 * cut has the finish reason `abort`. Null if no event is a piece of a completion. Throws `AttemptError` `unusable` for
 * too many events.
 */
export function completionOfEvents(body: string): Record<string, unknown> | null {
  const message: Record<string, unknown> = { role: "assistant", content: "" };
  const calls = new Map<number, { id?: string; function: { name: string; arguments: string } }>();
  let usage: unknown;
  let isCompletion = false;
  let reason: string | null = null;
  let isDone = false;
  let count = 0;
  // Not `.`, which stops at a U+2028 within the text of a reply.
  for (const [, event = ""] of body.matchAll(/^data: ?([^\r\n]*)/gm)) {
    if (++count > MOST_EVENTS) throw unusable(`made of more than ${MOST_EVENTS} events`);
    isDone ||= event.trim() === "[DONE]";
    const { data } = Chunk.safeParse(jsonOrText(event));
    if (data === undefined) continue;
    if (data.error != null) return { error: data.error };
    isCompletion ||= data.choices != null;
    usage = data.usage ?? usage;
    const choice = data.choices?.find(({ index }) => index === 0);
    reason = choice?.finish_reason || reason;
    const { tool_calls, ...texts } = choice?.delta ?? {};
    for (const [name, text] of Object.entries(texts))
      if (text != null) message[name] = `${message[name] ?? ""}${text}`;
    for (const { index, id, function: piece } of tool_calls ?? []) {
      // Servers that do not number their calls send each in one piece.
      const place = index ?? calls.size;
      const call = calls.get(place) ?? { function: { name: "", arguments: "" } };
      if (id) call.id = id;
      call.function.name += piece?.name ?? "";
      call.function.arguments += piece?.arguments ?? "";
      calls.set(place, call);
    }
  }
  if (!isCompletion) return null;
  if (calls.size > 0) message.tool_calls = [...calls.values()];
  const finish_reason = reason ?? (isDone ? "stop" : "abort");
  return { choices: [{ index: 0, finish_reason, message }], usage };
}
