import { createHash } from "node:crypto";
import type { Reply, SeenRequest } from "./model-server.ts";

/* How the scripted server reads and writes the two protocols. Written from the providers' public API references. */

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
      metadata?: Json;
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

type Json = Record<string, unknown>;

const object = (value: unknown): Json =>
  typeof value === "object" && value !== null && !Array.isArray(value) ? (value as Json) : {};
const list = (value: unknown): Json[] => (Array.isArray(value) ? value.map(object) : []);
const text = (value: unknown): string => (typeof value === "string" ? value : "");
const number = (value: unknown): number | null => (typeof value === "number" ? value : null);

function gather(
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

function media(type: "image" | "video" | "audio", role: string, url: string): SeenPart {
  const comma = url.indexOf(",");
  const mime = url.slice("data:".length, url.indexOf(";"));
  return { type, role, mime, bytes: Buffer.from(url.slice(comma + 1), "base64") };
}

export function readOpenAI(input: unknown): Asked {
  const body = object(input);
  if ("input" in body) {
    const inputs = Array.isArray(body.input) ? body.input.map(text) : [text(body.input)];
    const parts = inputs.map((item): SeenPart => ({ type: "text", role: "user", text: item }));
    return gather(text(body.model), "", [{ role: "user", parts }], {});
  }
  const messages = list(body.messages).map((message) => {
    const role = text(message.role);
    const parts: SeenPart[] =
      typeof message.content === "string"
        ? textPart(role, message.content)
        : list(message.content).map((part) => openaiPart(part, role));
    return { role, parts };
  });
  const system = messages
    .filter((message) => message.role === "system" || message.role === "developer")
    .flatMap((message) => message.parts.map((part) => (part.type === "text" ? part.text : "")))
    .join("\n");
  return gather(text(body.model), system, messages, {
    tools: list(body.tools).map((tool) => {
      const described = object(tool.function);
      return {
        name: text(described.name),
        description: text(described.description),
        parameters: described.parameters,
      };
    }),
    toolChoice: text(body.tool_choice),
    toolCalls: list(body.messages).flatMap((message) =>
      list(message.tool_calls).map((call) => ({
        id: text(call.id),
        name: text(object(call.function).name),
        arguments: JSON.parse(text(object(call.function).arguments) || "null") as unknown,
      })),
    ),
    toolResults: list(body.messages)
      .filter((message) => message.role === "tool")
      .map((message) => ({
        id: text(message.tool_call_id),
        name: text(message.name),
        text:
          typeof message.content === "string"
            ? message.content
            : list(message.content)
                .map((part) => text(part.text))
                .join(""),
      })),
    maxTokens: number(body.max_tokens) ?? number(body.max_completion_tokens),
    temperature: number(body.temperature),
    seed: number(body.seed),
    logprobs: body.logprobs === true,
    stream: body.stream === true,
    turns: list(body.messages).filter((message) => message.role === "assistant"),
  });
}

/** An assistant's turn of tool calls alone carries an empty text, which nobody said. */
function textPart(role: string, words: string): SeenPart[] {
  return words === "" ? [] : [{ type: "text", role, text: words }];
}

function openaiPart(part: Json, role: string): SeenPart {
  switch (part.type) {
    case "image_url":
      return media("image", role, text(object(part.image_url).url));
    case "video_url":
      return media("video", role, text(object(part.video_url).url));
    case "input_audio": {
      const audio = object(part.input_audio);
      const bytes = Buffer.from(text(audio.data), "base64");
      return { type: "audio", role, mime: `audio/${text(audio.format)}`, bytes };
    }
    default:
      return { type: "text", role, text: text(part.text) };
  }
}

/** `bytesAt`: what was uploaded under a URI. */
export function readGoogle(
  input: unknown,
  path: string,
  bytesAt: (uri: string) => Buffer | undefined = () => undefined,
): Asked {
  const body = object(input);
  const model = decodeURIComponent(/models\/([^:]+):/.exec(path)?.[1] ?? "");
  const config = object(body.generationConfig);
  const system = list(object(body.systemInstruction).parts)
    .map((part) => text(part.text))
    .join("\n");
  const embedded = list(body.requests).map((request) => request.content);
  const messages = list(body.contents ?? embedded).map((content) => {
    const role = text(content.role);
    return { role, parts: list(content.parts).flatMap((part) => googlePart(part, role, bytesAt)) };
  });
  if (system !== "")
    messages.unshift({ role: "system", parts: [{ type: "text", role: "system", text: system }] });
  const all = list(body.contents).flatMap((content) => list(content.parts));
  const mode = text(object(object(body.toolConfig).functionCallingConfig).mode);
  return gather(model, system, messages, {
    tools: list(body.tools).flatMap((tool) =>
      list(tool.functionDeclarations).map((item) => ({
        name: text(item.name),
        description: text(item.description),
        parameters: item.parameters,
      })),
    ),
    toolChoice: { AUTO: "auto", NONE: "none", ANY: "required" }[mode] ?? "",
    toolCalls: all
      .filter((part) => "functionCall" in part)
      .map((part) => ({
        id: text(object(part.functionCall).id),
        name: text(object(part.functionCall).name),
        arguments: object(part.functionCall).args,
      })),
    toolResults: all
      .filter((part) => "functionResponse" in part)
      .map((part) => object(part.functionResponse))
      .map((result) => ({
        id: text(result.id),
        name: text(result.name),
        text: toolText(object(result.response).result),
      })),
    maxTokens: number(config.maxOutputTokens),
    temperature: number(config.temperature),
    seed: number(config.seed),
    logprobs: config.responseLogprobs === true,
    turns: list(body.contents).filter((content) => content.role === "model"),
  });
}

function toolText(result: unknown): string {
  if (typeof result === "string") return result;
  if (Array.isArray(result)) return result.map((part) => text(object(part).text)).join("");
  return JSON.stringify(result);
}

function googlePart(
  part: Json,
  role: string,
  bytesAt: (uri: string) => Buffer | undefined,
): SeenPart[] {
  if ("functionResponse" in part) {
    const words = toolText(object(object(part.functionResponse).response).result);
    return [{ type: "text", role, text: words }];
  }
  if ("functionCall" in part) return [];
  if (!("inlineData" in part || "fileData" in part))
    return [{ type: "text", role, text: text(part.text) }];
  const data = object(part.inlineData ?? part.fileData);
  const mime = text(data.mimeType);
  const kind = mime.split("/")[0];
  const type = kind === "video" || kind === "audio" ? kind : "image";
  const uri = text(data.fileUri);
  const bytes =
    uri === "" ? Buffer.from(text(data.data), "base64") : (bytesAt(uri) ?? Buffer.alloc(0));
  const metadata = "videoMetadata" in part ? { metadata: object(part.videoMetadata) } : {};
  return [{ type, role, mime, bytes, ...(uri === "" ? {} : { uri }), ...metadata }];
}

export function estimateUsage(asked: Asked, reply: string): { input: number; output: number } {
  const words = asked.texts.reduce((sum, item) => sum + item.length, 0);
  return {
    input: Math.ceil(words / 4) + asked.images.length * 258,
    output: Math.ceil(reply.length / 4),
  };
}

interface Tokens {
  input: number;
  output: number;
  thinking?: number;
  cached?: number;
}

export function openaiBody(item: SeenRequest, reply: Reply, usage: Tokens): Json {
  return {
    id: `chatcmpl-${item.index}`,
    object: "chat.completion",
    created: Math.floor(item.at / 1000),
    model: item.model,
    choices: [
      {
        index: 0,
        message: openaiMessage(item, reply),
        logprobs: openaiLogprobs(reply),
        finish_reason: openaiFinish(reply),
      },
    ],
    usage: openaiUsage(usage),
  };
}

/** One event a word, then the usage. */
export function openaiStream(item: SeenRequest, reply: Reply, usage: Tokens): string {
  const { content, ...rest } = openaiMessage(item, reply) as Json & { content: string | null };
  const head = {
    id: `chatcmpl-${item.index}`,
    object: "chat.completion.chunk",
    created: Math.floor(item.at / 1000),
    model: item.model,
  };
  const calls = list(rest.tool_calls).map((call, index) => ({ index, ...call }));
  const deltas: Json[] = [
    { ...rest, ...(calls.length > 0 ? { tool_calls: calls } : {}), content: "" },
    ...((content ?? "").match(/\S+\s*/g) ?? []).map((word) => ({ content: word })),
  ];
  const events: Json[] = [
    ...deltas.map((delta) => ({ ...head, choices: [{ index: 0, delta, finish_reason: null }] })),
    { ...head, choices: [{ index: 0, delta: {}, finish_reason: openaiFinish(reply) }] },
    { ...head, choices: [], usage: openaiUsage(usage) },
  ];
  return `${events.map((event) => `data: ${JSON.stringify(event)}\n\n`).join("")}data: [DONE]\n\n`;
}

function openaiMessage(item: SeenRequest, reply: Reply): Json {
  const calls = reply.toolCalls?.map((call, index) => ({
    id: call.id ?? `call_${item.index}_${index}`,
    type: "function",
    function: {
      name: call.name,
      arguments:
        typeof call.arguments === "string" ? call.arguments : JSON.stringify(call.arguments),
    },
  }));
  return {
    role: "assistant",
    content: reply.empty === true ? "" : (reply.text ?? null),
    ...(reply.reasoning === undefined ? {} : { reasoning_content: reply.reasoning }),
    ...reply.message,
    refusal: reply.refusal ?? null,
    ...(calls === undefined ? {} : { tool_calls: calls }),
  };
}

function openaiFinish(reply: Reply): string {
  if (reply.finish === "refused") return "content_filter";
  return reply.finish ?? (reply.toolCalls === undefined ? "stop" : "tool_calls");
}

function openaiLogprobs(reply: Reply): Json | null {
  if (reply.logprobs === undefined) return null;
  const top = Object.entries(reply.logprobs)
    .map(([token, logprob]) => ({ token, logprob, bytes: [...Buffer.from(token)] }))
    .sort((a, b) => b.logprob - a.logprob);
  return { content: [{ ...top[0], top_logprobs: top }], refusal: null };
}

function openaiUsage({ input, output, thinking = 0, cached = 0 }: Tokens): Json {
  return {
    prompt_tokens: input,
    completion_tokens: output + thinking,
    total_tokens: input + output + thinking,
    completion_tokens_details: { reasoning_tokens: thinking },
    prompt_tokens_details: { cached_tokens: cached },
  };
}

export function googleBody(item: SeenRequest, reply: Reply, usage: Tokens): Json {
  const { input, output, thinking = 0, cached = 0 } = usage;
  const usageMetadata = {
    promptTokenCount: input,
    candidatesTokenCount: output,
    totalTokenCount: input + output + thinking,
    ...(thinking > 0 ? { thoughtsTokenCount: thinking } : {}),
    ...(cached > 0 ? { cachedContentTokenCount: cached } : {}),
  };
  if (reply.refusal !== undefined)
    return { promptFeedback: { blockReason: reply.refusal }, usageMetadata };
  const parts: Json[] = [];
  const thought = reply.reasoning ?? (thinking > 0 ? "Let me think." : undefined);
  if (thought !== undefined) parts.push({ text: thought, thought: true });
  if (reply.empty !== true && reply.text !== undefined) parts.push({ text: reply.text });
  for (const call of reply.toolCalls ?? [])
    parts.push({
      functionCall: { name: call.name, args: call.arguments },
      ...(call.signature === undefined ? {} : { thoughtSignature: call.signature }),
    });
  const finishes: Record<string, string> = {
    stop: "STOP",
    length: "MAX_TOKENS",
    refused: "SAFETY",
  };
  const finish = reply.finish ?? "stop";
  return {
    candidates: [
      {
        index: 0,
        content: { role: "model", parts },
        finishReason: finishes[finish] ?? finish,
      },
    ],
    usageMetadata,
    modelVersion: item.model,
  };
}

export function errorBody(item: SeenRequest, reply: Reply, status: number): Json {
  const message = reply.text ?? `scripted ${status}`;
  return item.protocol === "google"
    ? { error: { code: status, message, status: "SCRIPTED" } }
    : { error: { message, type: "scripted", param: null, code: null } };
}

/** A bag of words hashed into 64 places, unit length: near for texts that share words. */
export function embeddingOf(words: string): number[] {
  const vector = new Array<number>(64).fill(0);
  for (const word of words.toLowerCase().match(/[\p{L}\p{N}]+/gu) ?? []) {
    const place = createHash("sha256").update(word).digest().readUInt32LE(0) % vector.length;
    vector[place] = (vector[place] ?? 0) + 1;
  }
  const length = Math.hypot(...vector) || 1;
  return vector.map((value) => value / length);
}
