import { type Json, list, number, object, text } from "./json.ts";
import { gather, type RequestContent, type SeenPart } from "./request.ts";
import type { Reply, SeenRequest, Tokens } from "./script.ts";

/* OpenAI's chat completions and embeddings, from its public API reference. */

export function readOpenAI(input: unknown): RequestContent {
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

/** An assistant turn with tool calls only has an empty text, which is left out. */
function textPart(role: string, words: string): SeenPart[] {
  return words === "" ? [] : [{ type: "text", role, text: words }];
}

function openaiPart(part: Json, role: string): SeenPart {
  switch (part.type) {
    case "image_url":
      return dataUrl("image", role, text(object(part.image_url).url));
    case "video_url":
      return dataUrl("video", role, text(object(part.video_url).url));
    case "input_audio": {
      const audio = object(part.input_audio);
      const bytes = Buffer.from(text(audio.data), "base64");
      return { type: "audio", role, mime: `audio/${text(audio.format)}`, bytes };
    }
    default:
      return { type: "text", role, text: text(part.text) };
  }
}

function dataUrl(type: "image" | "video" | "audio", role: string, url: string): SeenPart {
  const comma = url.indexOf(",");
  const mime = url.slice("data:".length, url.indexOf(";"));
  return { type, role, mime, bytes: Buffer.from(url.slice(comma + 1), "base64") };
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

/** One event per word, then the usage. */
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
