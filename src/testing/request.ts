/* The content of a request in a form common to all protocols. */

/** A text or a medium of a request, with the role of its message. */
export type SeenPart =
  | { type: "text"; role: string; text: string }
  | {
      type: "image" | "video" | "audio";
      role: string;
      mime: string;
      bytes: Buffer;
      /** Gemini: URI of an uploaded file; `bytes` is empty if the server does not have it. */
      uri?: string;
      /** Gemini's `videoMetadata`. */
      metadata?: Record<string, unknown>;
    };

/** The content of a request in a form common to all protocols. */
export interface RequestContent {
  model: string;
  /** The system prompt; empty if missing. */
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
  /** `auto`, `none` or `required`; empty if the request does not set it. */
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
  /** Turns of the assistant, unchanged: OpenAI's messages, Gemini's contents. */
  turns: Record<string, unknown>[];
}

/** Adds defaults for members that a protocol does not have. `messages` include the system prompt. */
export function gather(
  model: string,
  system: string,
  messages: { role: string; parts: SeenPart[] }[],
  rest: Partial<RequestContent>,
): RequestContent {
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
