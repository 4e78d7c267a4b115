import { z } from "zod";
import type { Blobs } from "../../src/core/contracts.ts";
import { Failure, isFailure } from "../../src/core/errors.ts";
import type { EventBody } from "../../src/core/events.ts";
import type { ChatRequest, Message, Part } from "../../src/models/chat.ts";
import { parametersOf } from "../../src/models/json.ts";
import type { Exchange } from "../../src/models/models.ts";

/*
 * The messages and events of one sample, as one blob of its video. Every message and every list of tools is in it once;
 * calls name them by position. Media are named by hash.
 */

const TranscriptPart = z.discriminatedUnion("type", [
  z.object({ type: z.literal("text"), text: z.string() }),
  z.object({
    type: z.literal("image"),
    /** Of its bytes, which are a blob. */
    hash: z.string(),
    /** Seconds from the start of the video. */
    t_s: z.number(),
    label: z.string().optional(),
  }),
  z.object({
    type: z.enum(["video", "audio"]),
    hash: z.string(),
    mime: z.string(),
    label: z.string().optional(),
    /** The segment of the video, in seconds; missing for a whole file. */
    span: z.object({ from_s: z.number(), to_s: z.number() }).optional(),
  }),
]);
export type TranscriptPart = z.infer<typeof TranscriptPart>;

const TranscriptMessage = z.object({
  role: z.enum(["system", "user", "assistant", "tool"]),
  parts: z.array(TranscriptPart),
  /** What an assistant asks for. */
  tool_calls: z
    .array(z.object({ id: z.string(), name: z.string(), arguments: z.unknown() }))
    .optional(),
  /** Of a tool's result. */
  tool_call_id: z.string().optional(),
  name: z.string().optional(),
});
export type TranscriptMessage = z.infer<typeof TranscriptMessage>;

const Tool = z.object({
  name: z.string(),
  description: z.string(),
  /** JSON Schema. */
  parameters: z.record(z.string(), z.unknown()),
});

const TranscriptCall = z.object({
  /** The memo key, as in the event of the call. */
  key: z.string(),
  /** Positions in `messages`. */
  input: z.array(z.int().nonnegative()),
  /** Position of the reply in `messages`; null for a call that failed. */
  output: z.int().nonnegative().nullable(),
  /** The model's reasoning, if the server returned it separately. */
  reasoning: z.string().optional(),
  temperature: z.number(),
  max_tokens: z.int(),
  /** Position in `toolsets`; null without tools. */
  tools: z.int().nonnegative().nullable(),
  tool_choice: z.enum(["auto", "none", "required"]).optional(),
});
export type TranscriptCall = z.infer<typeof TranscriptCall>;

const TranscriptUsage = z.object({
  input: z.int(),
  output: z.int(),
  cost: z.number().nullable(),
  reasoning: z.int().optional(),
  cached_input: z.int().optional(),
});

/** `at` is milliseconds since 1970. */
const when = { at: z.number(), stage: z.string() };
const TranscriptEvent = z.discriminatedUnion("type", [
  z.object({ ...when, type: z.literal("stage"), state: z.enum(["start", "end"]) }),
  z.object({
    ...when,
    type: z.literal("call"),
    key: z.string(),
    role: z.string(),
    model: z.string(),
    label: z.string(),
    finish: z.string(),
    cached: z.boolean(),
    frames: z.int(),
    usage: TranscriptUsage,
    /** Duration of the original call in seconds; null if not known. */
    model_s: z.number().nullable(),
    retries: z.int(),
    error: z.object({ kind: z.string(), message: z.string() }).optional(),
  }),
  z.object({
    ...when,
    type: z.literal("tool"),
    name: z.string(),
    seconds: z.number(),
    error: z.string().optional(),
  }),
  z.object({ ...when, type: z.literal("retrieved"), ids: z.array(z.string()) }),
  z.object({ ...when, type: z.literal("note"), text: z.string() }),
]);
export type TranscriptEvent = z.infer<typeof TranscriptEvent>;

/** Format version of a transcript. */
const FORMAT = 1;

const Transcript = z.object({
  format: z.literal(FORMAT),
  messages: z.array(TranscriptMessage),
  toolsets: z.array(z.array(Tool)),
  calls: z.array(TranscriptCall),
  events: z.array(TranscriptEvent),
});
export type Transcript = z.infer<typeof Transcript>;

/** Collects the messages and events of one sample. */
export interface TranscriptRecorder {
  addExchange(exchange: Exchange): void;
  addEvent(event: { at: number; stage: string } & EventBody): void;
  /** Stores the transcript with the video; returns its id, or undefined if no model was called. */
  store(blobs: Pick<Blobs, "put">): Promise<string | undefined>;
}

export function recordTranscript(): TranscriptRecorder {
  const messages = createPool<TranscriptMessage>();
  const toolsets = createPool<Transcript["toolsets"][number]>();
  const calls = new Map<string, TranscriptCall>();
  const events: TranscriptEvent[] = [];
  let video: string | undefined;
  return {
    addExchange({ key, video: hash, request, reply }) {
      video ??= hash;
      const { text = "", toolCalls = [], reasoning } = reply ?? {};
      calls.set(key, {
        key,
        input: request.messages.map((message) => messages.place(toTranscriptMessage(message))),
        output:
          reply === null
            ? null
            : messages.place(toTranscriptMessage({ role: "assistant", text, toolCalls })),
        ...(reasoning === undefined ? {} : { reasoning }),
        temperature: request.temperature,
        max_tokens: request.maxTokens,
        tools: request.tools === undefined ? null : toolsets.place(request.tools.map(toTool)),
        ...(request.toolChoice === undefined ? {} : { tool_choice: request.toolChoice }),
      });
    },
    addEvent(event) {
      events.push(...toTranscriptEvent(event));
    },
    async store(blobs) {
      if (video === undefined) return undefined;
      const transcript: Transcript = {
        format: FORMAT,
        messages: messages.items,
        toolsets: toolsets.items,
        calls: [...calls.values()],
        events,
      };
      const bytes = new TextEncoder().encode(JSON.stringify(transcript));
      return (await blobs.put(video, bytes, "json")).hash;
    },
  };
}

/**
 * Reads a stored transcript; null if it has been deleted with its video. Throws `Failure`: `store-damaged`,
 * `store-format` for a transcript that another version wrote.
 */
export async function readTranscript(
  blobs: Pick<Blobs, "read">,
  id: string,
): Promise<Transcript | null> {
  const bytes = await blobs.read(id).catch((error: unknown) => {
    if (isFailure(error, "not-found")) return null;
    throw error;
  });
  if (bytes === null) return null;
  try {
    return Transcript.parse(JSON.parse(new TextDecoder().decode(bytes)));
  } catch (error) {
    throw new Failure(
      "store-format",
      `Cannot read the kept messages ${id}: another version of video-rrd wrote them. Use that version, or run the samples again.`,
      { id },
      { cause: error },
    );
  }
}

/** Distinct values in the order in which they came. */
function createPool<T>() {
  const places = new Map<string, number>();
  const items: T[] = [];
  return {
    items,
    place(item: T): number {
      const key = JSON.stringify(item);
      const known = places.get(key);
      if (known !== undefined) return known;
      places.set(key, items.length);
      return items.push(item) - 1;
    },
  };
}

function toTranscriptMessage(message: Message): TranscriptMessage {
  const { role } = message;
  switch (message.role) {
    case "system":
      return { role, parts: [{ type: "text", text: message.text }] };
    case "assistant":
      return {
        role,
        parts: message.text === "" ? [] : [{ type: "text", text: message.text }],
        ...(message.toolCalls.length === 0
          ? {}
          : {
              tool_calls: message.toolCalls.map(({ id, name, arguments: given }) => ({
                id,
                name,
                arguments: given,
              })),
            }),
      };
    case "tool":
      return {
        role,
        parts: message.parts.map(toTranscriptPart),
        tool_call_id: message.toolCallId,
        name: message.name,
      };
    case "user":
      return { role, parts: message.parts.map(toTranscriptPart) };
  }
}

function toTranscriptPart(part: Part): TranscriptPart {
  if (part.type === "text") return { type: "text", text: part.text };
  const label = part.label === undefined ? {} : { label: part.label };
  if (part.type === "image")
    return { type: "image", hash: part.frame.hash, t_s: part.frame.t_s, ...label };
  const span = part.cut ?? part.span;
  const { type, hash, mime } = part;
  return { type, hash, mime, ...label, ...(span === undefined ? {} : { span }) };
}

function toTool(tool: NonNullable<ChatRequest["tools"]>[number]) {
  return { name: tool.name, description: tool.description, parameters: parametersOf(tool) };
}

function toTranscriptEvent(
  event: { at: number; stage: string } & EventBody,
): [TranscriptEvent] | [] {
  const { at, stage } = event;
  switch (event.type) {
    case "stage":
      return [{ at, stage, type: "stage", state: event.state }];
    case "tool": {
      const { name, seconds, error } = event;
      return [
        { at, stage, type: "tool", name, seconds, ...(error === undefined ? {} : { error }) },
      ];
    }
    case "retrieved":
      return [{ at, stage, type: "retrieved", ids: event.ids }];
    case "note":
      return [{ at, stage, type: "note", text: event.text }];
    case "call": {
      const { key, role, model, label, finish, cached, frames, usage, retried } = event.call;
      const { input, output, cost, reasoning, cached_input } = usage;
      return [
        {
          ...{ at, stage, type: "call", key, role, model, label, finish, cached },
          frames: frames.length,
          usage: {
            ...{ input, output, cost },
            ...(reasoning === undefined ? {} : { reasoning }),
            ...(cached_input === undefined ? {} : { cached_input }),
          },
          model_s: event.call.model_s ?? null,
          retries: retried?.requests ?? 0,
          ...(event.call.error === undefined ? {} : { error: event.call.error }),
        },
      ];
    }
    default:
      return [];
  }
}
