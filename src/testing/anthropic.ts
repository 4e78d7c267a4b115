import { type Json, list, number, object, text } from "./json.ts";
import { gather, type RequestContent, type SeenPart } from "./request.ts";
import type { Reply, SeenRequest, Tokens } from "./script.ts";

/* Anthropic's Messages API, from its public API reference. */

export function readAnthropic(input: unknown): RequestContent {
  const body = object(input);
  const system = blocksOf(body.system)
    .map((block) => text(block.text))
    .join("\n");
  const messages = list(body.messages).map((message) => {
    const role = text(message.role);
    return { role, parts: blocksOf(message.content).flatMap((block) => partsOf(block, role)) };
  });
  const blocks = list(body.messages).flatMap((message) => blocksOf(message.content));
  const calls = blocks.filter((block) => block.type === "tool_use");
  const choices: Record<string, string> = { any: "required", tool: "required" };
  const choice = text(object(body.tool_choice).type);
  const all =
    system === ""
      ? messages
      : [
          {
            role: "system",
            parts: [{ type: "text", role: "system", text: system } satisfies SeenPart],
          },
          ...messages,
        ];
  return gather(text(body.model), system, all, {
    tools: list(body.tools).map((tool) => ({
      name: text(tool.name),
      description: text(tool.description),
      parameters: tool.input_schema,
    })),
    toolChoice: choices[choice] ?? choice,
    toolCalls: calls.map((call) => ({
      id: text(call.id),
      name: text(call.name),
      arguments: call.input,
    })),
    toolResults: blocks
      .filter((block) => block.type === "tool_result")
      .map((block) => ({
        id: text(block.tool_use_id),
        name: text(calls.find((call) => call.id === block.tool_use_id)?.name),
        text: blocksOf(block.content)
          .map((part) => text(part.text))
          .join(""),
      })),
    maxTokens: number(body.max_tokens),
    temperature: number(body.temperature),
    stream: body.stream === true,
    turns: list(body.messages).filter((message) => message.role === "assistant"),
  });
}

/** Content as blocks; a string is one text block. */
function blocksOf(content: unknown): Json[] {
  return typeof content === "string" ? [{ type: "text", text: content }] : list(content);
}

function partsOf(block: Json, role: string): SeenPart[] {
  if (block.type === "text") return [{ type: "text", role, text: text(block.text) }];
  if (block.type === "tool_result")
    return blocksOf(block.content).flatMap((part) => partsOf(part, role));
  if (block.type !== "image") return [];
  const { media_type, data } = object(block.source);
  return [
    { type: "image", role, mime: text(media_type), bytes: Buffer.from(text(data), "base64") },
  ];
}

export function anthropicBody(item: SeenRequest, reply: Reply, usage: Tokens): Json {
  const { input, output, thinking = 0, cached = 0 } = usage;
  return {
    id: `msg_${item.index}`,
    type: "message",
    role: "assistant",
    model: item.model,
    content: contentOf(item, reply),
    stop_reason: stopReason(reply),
    stop_sequence: null,
    usage: {
      input_tokens: input - cached,
      cache_read_input_tokens: cached,
      cache_creation_input_tokens: 0,
      output_tokens: output + thinking,
    },
  };
}

function contentOf(item: SeenRequest, reply: Reply): Json[] {
  const blocks: Json[] = [];
  if (reply.reasoning !== undefined)
    blocks.push({
      type: "thinking",
      thinking: reply.reasoning,
      signature: reply.toolCalls?.[0]?.signature ?? "signed",
    });
  const words = reply.refusal ?? reply.text;
  if (reply.empty !== true && words !== undefined) blocks.push({ type: "text", text: words });
  for (const [index, call] of (reply.toolCalls ?? []).entries())
    blocks.push({
      type: "tool_use",
      id: call.id ?? `toolu_${item.index}_${index}`,
      name: call.name,
      input: call.arguments,
    });
  return blocks;
}

function stopReason({ finish, refusal, toolCalls }: Reply): string {
  const names: Record<string, string> = {
    stop: "end_turn",
    length: "max_tokens",
    refused: "refusal",
  };
  if (refusal !== undefined) return "refusal";
  if (finish === undefined) return toolCalls === undefined ? "end_turn" : "tool_use";
  return names[finish] ?? finish;
}

/** The events of a streamed message: each text word by word, each call in two pieces of JSON. */
export function anthropicStream(item: SeenRequest, reply: Reply, usage: Tokens): string {
  const { content, stop_reason, usage: counted, ...message } = anthropicBody(item, reply, usage);
  const { output_tokens, ...input } = object(counted);
  const events: Json[] = [
    {
      type: "message_start",
      message: {
        ...message,
        content: [],
        stop_reason: null,
        usage: { ...input, output_tokens: 0 },
      },
    },
    ...list(content).flatMap((block, index): Json[] => [
      { type: "content_block_start", index, content_block: emptied(block) },
      ...deltasOf(block).map((delta) => ({ type: "content_block_delta", index, delta })),
      { type: "content_block_stop", index },
    ]),
    {
      type: "message_delta",
      delta: { stop_reason, stop_sequence: null },
      usage: { output_tokens },
    },
    { type: "message_stop" },
  ];
  return events
    .map((event) => `event: ${text(event.type)}\ndata: ${JSON.stringify(event)}\n\n`)
    .join("");
}

function emptied(block: Json): Json {
  if (block.type === "tool_use") return { ...block, input: {} };
  return block.type === "thinking"
    ? { type: "thinking", thinking: "" }
    : { type: "text", text: "" };
}

function deltasOf(block: Json): Json[] {
  if (block.type === "tool_use") {
    const json = JSON.stringify(block.input);
    const half = Math.ceil(json.length / 2);
    return [json.slice(0, half), json.slice(half)].map((partial_json) => ({
      type: "input_json_delta",
      partial_json,
    }));
  }
  if (block.type === "thinking")
    return [
      { type: "thinking_delta", thinking: block.thinking },
      { type: "signature_delta", signature: block.signature },
    ];
  return (text(block.text).match(/\S+\s*/g) ?? []).map((word) => ({
    type: "text_delta",
    text: word,
  }));
}
