/* What a request asks, in words common to all protocols. */

/** A text or a medium of a request, with the role of its message. */
export type SeenPart =
  | { type: "text"; role: string; text: string }
  | {
      type: "image" | "video" | "audio";
      role: string;
      mime: string;
      bytes: Buffer;
      /** Gemini: of an uploaded file; its bytes are empty where the server has no such file. */
      uri?: string;
      /** Gemini's `videoMetadata`. */
      metadata?: Record<string, unknown>;
    };

/** What a request asks, in words common to both protocols. */
export interface Asked {
  model: string;
  /** The system prompt; empty where there is none. */
  system: string;
  /** Every text of the conversation in order, the system prompt first. */
  texts: string[];
  images: Buffer[];
  videos: Buffer[];
  audios: Buffer[];
  /** Texts and media of the whole conversation in order. */
  parts: SeenPart[];
  messages: { role: string; parts: SeenPart[] }[];
  tools: { name: string; description: string; parameters: unknown }[];
  /** `auto`, `none`, `required`, or the empty text where nothing was said. */
  toolChoice: string;
  /** Calls the model made earlier in the conversation. */
  toolCalls: { id: string; name: string; arguments: unknown }[];
  toolResults: { id: string; name: string; text: string }[];
  maxTokens: number | null;
  temperature: number | null;
  seed: number | null;
  logprobs: boolean;
  stream: boolean;
  /** `response_format` of a transcription. */
  format: string;
  /** Turns of the assistant, as they came: OpenAI's messages, Gemini's contents. */
  turns: Record<string, unknown>[];
}

/** Fills in what a protocol does not say. `messages` include the system prompt. */
export function gather(
  model: string,
  system: string,
  messages: { role: string; parts: SeenPart[] }[],
  rest: Partial<Asked>,
): Asked {
  const parts = messages.flatMap((message) => message.parts);
  const bytes = (type: string) =>
    parts.flatMap((part) => (part.type !== "text" && part.type === type ? [part.bytes] : []));
  return {
    model,
    system,
    texts: parts.flatMap((part) => (part.type === "text" ? [part.text] : [])),
    images: bytes("image"),
    videos: bytes("video"),
    audios: bytes("audio"),
    parts,
    messages,
    tools: [],
    toolChoice: "",
    toolCalls: [],
    toolResults: [],
    maxTokens: null,
    temperature: null,
    seed: null,
    logprobs: false,
    stream: false,
    format: "",
    turns: [],
    ...rest,
  };
}
