import type { BaseMessage } from "@langchain/core/messages";
import sharp from "sharp";
import { z } from "zod";
import type { Store } from "../core/contracts.ts";
import { Failure } from "../core/errors.ts";
import type { Message, Part, ProviderContent, ToolCall } from "./chat.ts";

/*
 * LangChain's messages as a conversation of this project. Ids of messages are left out: they are random, and a stored
 * reply is found by what is sent.
 */

/** The result of a tool as parts, as the artifact of its message: pictures by hash, which no model is sent as text. */
export interface PartsArtifact {
  shown: "video-rrd";
  parts: Part[];
}

export function partsIn(artifact: unknown): Part[] | null {
  const given = artifact as Partial<PartsArtifact> | null | undefined;
  return given?.shown === "video-rrd" && Array.isArray(given.parts) ? given.parts : null;
}

/** Where pictures of a conversation are stored: as blobs of a video. */
export interface PictureStore {
  store: Pick<Store, "blobs">;
  video: string;
}

/** Throws `Failure` `wrong-usage` for a message or a content block that cannot be sent. */
export async function fromLangChain(
  messages: readonly BaseMessage[],
  pictures: PictureStore,
): Promise<Message[]> {
  return Promise.all(messages.map((message) => converted(message, pictures)));
}

async function converted(message: BaseMessage, pictures: PictureStore): Promise<Message> {
  switch (message.type) {
    case "system":
      return { role: "system", text: message.text };
    case "human":
      return { role: "user", parts: await partsOf(message.content, pictures) };
    case "ai": {
      const { tool_calls = [], response_metadata } = message as BaseMessage & {
        tool_calls?: Call[];
      };
      const own = ownContent(response_metadata);
      return {
        role: "assistant",
        text: message.text,
        toolCalls: tool_calls.map(toolCallOf),
        ...(own === null ? {} : { own }),
      };
    }
    case "tool": {
      const { tool_call_id, name, artifact } = message as BaseMessage & Result;
      const parts = partsIn(artifact) ?? (await partsOf(message.content, pictures));
      return { role: "tool", toolCallId: tool_call_id, name: name ?? "tool", parts };
    }
    default:
      throw new Failure("wrong-usage", `Cannot send a message of the type ${message.type}.`, {
        type: message.type,
      });
  }
}

type Call = { id?: string; name: string; args: unknown };
type Result = { tool_call_id: string; name?: string; artifact?: unknown };

function toolCallOf({ id, name, args }: Call, index: number): ToolCall {
  return { id: id ?? `call_${index + 1}`, name, arguments: args };
}

/** What a provider wants back with a turn, as a reply brought it. */
const Own = z.object({
  own: z.object({ provider: z.string(), content: z.record(z.string(), z.unknown()) }),
});

function ownContent(metadata: unknown): ProviderContent | null {
  const read = Own.safeParse(metadata);
  return read.success ? read.data.own : null;
}

async function partsOf(content: BaseMessage["content"], pictures: PictureStore): Promise<Part[]> {
  if (typeof content === "string") return [{ type: "text", text: content }];
  return Promise.all(content.map((block) => partOf(block, pictures)));
}

/** The forms in which LangChain writes text and pictures, of its versions 0 and 1. */
const Text = z.object({ type: z.literal("text"), text: z.string() });
const ImageUrl = z.object({
  type: z.literal("image_url"),
  image_url: z.union([z.string(), z.object({ url: z.string() }).transform(({ url }) => url)]),
});
const Image = z.object({ type: z.literal("image"), data: z.base64() });

async function partOf(block: unknown, pictures: PictureStore): Promise<Part> {
  const text = Text.safeParse(block);
  if (text.success) return { type: "text", text: text.data.text };
  const linked = ImageUrl.safeParse(block);
  if (linked.success) return picture(bytesOfUrl(linked.data.image_url), pictures);
  const image = Image.safeParse(block);
  if (image.success) return picture(Buffer.from(image.data.data, "base64"), pictures);
  const type = String((block as { type?: unknown } | null)?.type);
  throw new Failure(
    "wrong-usage",
    `Cannot send a content block of the type ${JSON.stringify(type)}: use text, or a picture as base64 data.`,
    { type },
  );
}

function bytesOfUrl(url: string): Buffer {
  const data = /^data:image\/[\w.+-]+;base64,([A-Za-z0-9+/=\s]+)$/.exec(url)?.[1];
  if (data === undefined)
    throw new Failure(
      "wrong-usage",
      `Cannot send the picture ${url.slice(0, 60)}: use a data URL with base64, such as data:image/jpeg;base64,...`,
      { url: url.slice(0, 200) },
    );
  return Buffer.from(data, "base64");
}

/** Longest side, in pixels, of a picture that is sent. */
const LARGEST = 4096;

/** A picture as a frame without a time of its own; anything but JPEG is converted. */
async function picture(bytes: Buffer, { store, video }: PictureStore): Promise<Part> {
  try {
    const { format, width, height } = await sharp(bytes).metadata();
    const fits = format === "jpeg" && Math.max(width, height) <= LARGEST;
    const sent = fits
      ? { data: bytes, info: { width, height } }
      : await sharp(bytes)
          .resize(LARGEST, LARGEST, { fit: "inside", withoutEnlargement: true })
          .flatten({ background: "white" })
          .jpeg({ quality: 90 })
          .toBuffer({ resolveWithObject: true });
    const { hash } = await store.blobs.put(video, sent.data, "jpg");
    const { info } = sent;
    return {
      type: "image",
      frame: { hash, video, t_s: 0, width: info.width, height: info.height },
    };
  } catch (error) {
    if (error instanceof Failure) throw error;
    throw new Failure(
      "wrong-usage",
      "Cannot read a picture of the conversation: it is not a PNG, JPEG or WebP.",
      {},
      { cause: error },
    );
  }
}
