import type { Blobs } from "../../../src/core/contracts.ts";
import { isFailure } from "../../../src/core/errors.ts";
import { sha256 } from "../../../src/core/hash.ts";
import type { TranscriptMessage, TranscriptPart } from "../../run/transcript.ts";
import type { ChatMessage, ChatMessageAssistant, Content, ToolCall } from "./log-schema.ts";

/** Reads pictures; null if there is no store with them. */
export type Pictures = Pick<Blobs, "read"> | null;

/** The messages of a transcript as Inspect has them, and their pictures as data URIs by name, each once. */
export interface LogMessages {
  /** In the order of the transcript. */
  messages: ChatMessage[];
  attachments: Record<string, string>;
}

const ATTACHMENT = "attachment://";

/** `seed` makes the ids of the messages unique in a log. */
export async function toMessages(
  kept: readonly TranscriptMessage[],
  pictures: Pictures,
  seed: string,
): Promise<LogMessages> {
  const attachments = createAttachments(pictures);
  const messages: ChatMessage[] = [];
  for (const [place, message] of kept.entries())
    messages.push(await toMessage(message, idOf(seed, "message", place), attachments));
  return { messages, attachments: attachments.all };
}

/** An id that is the same in every export of a run. */
export function idOf(...parts: (string | number)[]): string {
  return sha256(JSON.stringify(parts)).slice(0, 22);
}

type Attachments = ReturnType<typeof createAttachments>;

function createAttachments(pictures: Pictures) {
  const names = new Map<string, string | null>();
  const all: Record<string, string> = {};
  return {
    all,
    /** The reference to a picture; null if it is no longer stored. */
    async reference(hash: string): Promise<string | null> {
      if (!names.has(hash)) {
        const bytes = await readPicture(pictures, hash);
        const name = hash.slice(0, 32);
        if (bytes !== null)
          all[name] = `data:${typeOf(bytes)};base64,${Buffer.from(bytes).toString("base64")}`;
        names.set(hash, bytes === null ? null : name);
      }
      const name = names.get(hash) ?? null;
      return name === null ? null : ATTACHMENT + name;
    },
  };
}

async function readPicture(pictures: Pictures, hash: string): Promise<Uint8Array | null> {
  try {
    return (await pictures?.read(hash)) ?? null;
  } catch (error) {
    if (isFailure(error, "not-found")) return null;
    throw error;
  }
}

function typeOf(bytes: Uint8Array): string {
  if (bytes[0] === 0x89) return "image/png";
  return bytes[0] === 0x52 ? "image/webp" : "image/jpeg";
}

async function toMessage(
  message: TranscriptMessage,
  id: string,
  attachments: Attachments,
): Promise<ChatMessage> {
  const { role, parts, tool_calls = [], tool_call_id = "", name = "" } = message;
  const content = await toContent(parts, attachments);
  const frames = parts.flatMap((part) =>
    part.type === "image" ? [{ hash: part.hash, t_s: part.t_s }] : [],
  );
  const base = { id, content, ...(frames.length === 0 ? {} : { metadata: { frames } }) };
  switch (role) {
    case "system":
    case "user":
      return { ...base, role };
    case "tool":
      return { ...base, role, tool_call_id, function: name };
    case "assistant":
      return {
        ...base,
        role,
        source: "generate",
        ...(tool_calls.length === 0 ? {} : { tool_calls: tool_calls.map(toToolCall) }),
      };
  }
}

async function toContent(
  parts: readonly TranscriptPart[],
  attachments: Attachments,
): Promise<string | Content[]> {
  const [first] = parts;
  if (first === undefined) return "";
  if (parts.length === 1 && first.type === "text") return first.text;
  const content: Content[] = [];
  for (const part of parts) {
    if (part.type === "text") {
      content.push(part);
      continue;
    }
    if (part.label !== undefined) content.push({ type: "text", text: part.label });
    if (part.type !== "image") {
      content.push({ type: "text", text: mediumText(part) });
      continue;
    }
    const image = await attachments.reference(part.hash);
    content.push(
      image === null
        ? { type: "text", text: `[picture at ${part.t_s} s, no longer stored: ${part.hash}]` }
        : { type: "image", image, detail: "auto" },
    );
  }
  return content;
}

/** Video and sound are named, not copied. */
function mediumText({
  type,
  mime,
  hash,
  span,
}: Extract<TranscriptPart, { type: "video" | "audio" }>) {
  const where = span === undefined ? "" : ` from ${span.from_s} to ${span.to_s} s`;
  return `[${type} (${mime})${where}, not in this log: ${hash}]`;
}

function toToolCall({
  id,
  name,
  arguments: given,
}: NonNullable<TranscriptMessage["tool_calls"]>[number]): ToolCall {
  const isObject = typeof given === "object" && given !== null && !Array.isArray(given);
  return {
    id,
    function: name,
    arguments: isObject ? (given as ToolCall["arguments"]) : {},
    type: "function",
    ...(isObject ? {} : { parse_error: `The arguments are not a JSON object: ${String(given)}` }),
  };
}

/** A reply, with the reasoning that the server returned separately. */
export function asReply(
  message: ChatMessage | undefined,
  reasoning: string | undefined,
  model: string,
): ChatMessageAssistant | null {
  if (message?.role !== "assistant") return null;
  const reply = { ...message, model };
  if (reasoning === undefined) return reply;
  const said: Content[] =
    typeof message.content === "string"
      ? message.content === ""
        ? []
        : [{ type: "text", text: message.content }]
      : message.content;
  return { ...reply, content: [{ type: "reasoning", reasoning, redacted: false }, ...said] };
}

/** The text of a message, without its reasoning. */
export function textOf({ content }: Pick<ChatMessage, "content">): string {
  if (typeof content === "string") return content;
  return content.flatMap((part) => (part.type === "text" ? [part.text] : [])).join("\n");
}
