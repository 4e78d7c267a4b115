import type { Transcript, TranscriptCall, TranscriptEvent } from "../../run/transcript.ts";
import type { ChatMessage, LogEvent, ModelOutput, ToolCall } from "./log-schema.ts";
import { asReply, idOf, textOf } from "./messages.ts";
import { toToolInfo } from "./tool-info.ts";
import { modelName, toModelUsage } from "./usage.ts";

type CallEvent = Extract<TranscriptEvent, { type: "call" }>;
type ToolEvent = Extract<TranscriptEvent, { type: "tool" }>;

/** What the events of a sample are made from. */
export interface EventSource {
  /** Makes the ids unique. */
  seed: string;
  /** When the sample began, in milliseconds since 1970. */
  began: number;
  events: readonly TranscriptEvent[];
  /** Null if the messages were not kept. */
  transcript: Transcript | null;
  /** Those of the transcript. */
  messages: readonly ChatMessage[];
}

/** Makes the events of a sample: stages as spans, model calls, tool calls, searches and notes. */
export function toEvents(source: EventSource): LogEvent[] {
  const { events, transcript, messages } = source;
  const place = placing(source);
  const calls = new Map(transcript?.calls.map((call) => [call.key, call]));
  const tools = pendingTools(messages);
  const open = new Map<string, string>();
  const made: LogEvent[] = [];
  for (const event of events) {
    const span = open.get(event.stage);
    const base = { ...place(event.at), ...(span === undefined ? {} : { span_id: span }) };
    switch (event.type) {
      case "stage":
        if (event.state === "start") {
          const id = idOf(source.seed, "span", made.length);
          open.set(event.stage, id);
          made.push({
            ...{ ...base, span_id: id },
            ...{ event: "span_begin", id, name: event.stage, type: "stage" },
          });
        } else if (span !== undefined) {
          open.delete(event.stage);
          made.push({ ...base, event: "span_end", id: span });
        }
        break;
      case "call": {
        const call = calls.get(event.key);
        made.push({ ...base, ...modelEvent(event, call, source) });
        if (call?.output != null) tools.ask(messages[call.output]);
        break;
      }
      case "tool":
        made.push({ ...base, ...toolEvent(event, tools.next(event.name), base.uuid) });
        break;
      case "retrieved":
        made.push({ ...base, event: "info", source: "search", data: { evidence: event.ids } });
        break;
      case "note":
        made.push({ ...base, event: "info", source: "video-rrd", data: event.text });
    }
  }
  for (const [, id] of open)
    made.push({ ...place(events.at(-1)?.at ?? source.began), event: "span_end", id, span_id: id });
  return made;
}

/** Id and times of the next event. */
export function placing({ seed, began }: Pick<EventSource, "seed" | "began">) {
  let count = 0;
  return (at: number) => ({
    uuid: idOf(seed, "event", count++),
    timestamp: new Date(at).toISOString(),
    working_start: Math.max(0, at - began) / 1000,
  });
}

function modelEvent(
  event: CallEvent,
  call: TranscriptCall | undefined,
  { transcript, messages }: EventSource,
) {
  const { role, label, finish, cached, frames, usage, model_s, retries, error, key } = event;
  const toolset = call?.tools == null ? [] : (transcript?.toolsets[call.tools] ?? []);
  const output = outputOf(event, call, messages);
  return {
    event: "model" as const,
    model: modelName(event.model),
    role,
    input: [] as [],
    ...(call === undefined ? {} : { input_refs: rangesOf(call.input) }),
    tools: toolset.map(toToolInfo),
    tool_choice:
      call?.tool_choice === "required"
        ? ("any" as const)
        : (call?.tool_choice ?? (toolset.length > 0 ? "auto" : "none")),
    config:
      call === undefined ? {} : { temperature: call.temperature, max_tokens: call.max_tokens },
    output,
    ...(cached ? { cache: "read" as const } : {}),
    ...(error === undefined ? {} : { error: error.message }),
    ...(retries === 0 ? {} : { retries }),
    ...(model_s === null ? {} : { working_time: model_s }),
    metadata: {
      ...{ label, frames, finish, memo_key: key },
      ...(usage.cost === null ? {} : { cost: usage.cost }),
      ...(call === undefined ? { messages: "not kept" } : {}),
    },
  };
}

function outputOf(
  { model: name, finish, usage, model_s, error }: CallEvent,
  call: TranscriptCall | undefined,
  messages: readonly ChatMessage[],
): ModelOutput {
  const model = modelName(name);
  const reply = call?.output == null ? null : asReply(messages[call.output], call.reasoning, model);
  return {
    model,
    choices: reply === null ? [] : [{ message: reply, stop_reason: stopReason(finish) }],
    completion: reply === null ? "" : textOf(reply),
    usage: toModelUsage(usage),
    ...(model_s === null ? {} : { time: model_s }),
    ...(error === undefined ? {} : { error: error.message }),
  };
}

export function stopReason(finish: string): ModelOutput["choices"][number]["stop_reason"] {
  switch (finish) {
    case "stop":
      return "stop";
    case "length":
      return "max_tokens";
    case "tool-calls":
      return "tool_calls";
    case "refused":
      return "content_filter";
    default:
      return "unknown";
  }
}

/** `[3, 4, 5, 1]` as `[[3, 6], [1, 2]]`. */
export function rangesOf(places: readonly number[]): [number, number][] {
  const ranges: [number, number][] = [];
  for (const place of places) {
    const last = ranges.at(-1);
    if (last !== undefined && last[1] === place) last[1]++;
    else ranges.push([place, place + 1]);
  }
  return ranges;
}

interface PendingTool {
  call: ToolCall;
  result: Extract<ChatMessage, { role: "tool" }> | undefined;
}

/**
 * The tool calls that were asked for and have not run yet. A server may use an id again, so the results of an id are taken
 * in the order of the conversation.
 */
function pendingTools(messages: readonly ChatMessage[]) {
  const results = Map.groupBy(
    messages.flatMap((message) => (message.role === "tool" ? [message] : [])),
    (message) => message.tool_call_id,
  );
  const asked: ToolCall[] = [];
  return {
    ask(message: ChatMessage | undefined) {
      if (message?.role === "assistant") asked.push(...(message.tool_calls ?? []));
    },
    next(name: string): PendingTool | undefined {
      const place = asked.findIndex((call) => call.function === name);
      const [call] = place < 0 ? [] : asked.splice(place, 1);
      if (call === undefined) return undefined;
      const of = results.get(call.id) ?? [];
      return { call, result: of.length > 1 ? of.shift() : of[0] };
    },
  };
}

function toolEvent(event: ToolEvent, pending: PendingTool | undefined, id: string) {
  const { name, seconds, error } = event;
  const content = pending?.result?.content ?? "";
  return {
    event: "tool" as const,
    type: "function" as const,
    id: pending?.call.id ?? id,
    function: name,
    arguments: pending?.call.arguments ?? {},
    result:
      typeof content === "string"
        ? content
        : content.filter((part) => part.type === "text" || part.type === "image"),
    ...(error === undefined ? {} : { error: { type: errorType(error), message: error } }),
    events: [] as [],
    working_time: seconds,
  };
}

function errorType(kind: string): "limit" | "timeout" | "unknown" {
  if (kind === "limit-met") return "limit";
  return kind === "timeout" ? "timeout" : "unknown";
}
