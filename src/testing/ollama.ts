import { type Json, list, number, object, text } from "./json.ts";
import { gather, type RequestContent, type SeenPart } from "./request.ts";
import type { Reply, SeenRequest, Tokens } from "./script.ts";

/* Ollama's chat API, from its public API reference; a stream has one JSON object per line. */

export function readOllama(input: unknown): RequestContent {
  const body = object(input);
  const options = object(body.options);
  const messages = list(body.messages).map((message) => {
    const role = text(message.role);
    const words = text(message.content);
    const images = Array.isArray(message.images) ? message.images : [];
    return {
      role,
      parts: [
        ...(words === "" ? [] : [{ type: "text", role, text: words } satisfies SeenPart]),
        ...images.map(
          (data): SeenPart => ({
            type: "image",
            role,
            mime: "image/jpeg",
            bytes: Buffer.from(text(data), "base64"),
          }),
        ),
      ],
    };
  });
  const said = list(body.messages);
  const calls = said.flatMap((message) => list(message.tool_calls));
  return gather(
    text(body.model),
    said
      .filter((message) => message.role === "system")
      .map((message) => text(message.content))
      .join("\n"),
    messages,
    {
      tools: list(body.tools).map((tool) => {
        const { name, description, parameters } = object(tool.function);
        return { name: text(name), description: text(description), parameters };
      }),
      toolCalls: calls.map((call) => ({
        id: text(call.id),
        name: text(object(call.function).name),
        arguments: object(call.function).arguments,
      })),
      toolResults: said
        .filter((message) => message.role === "tool")
        .map((message) => ({
          id: text(message.tool_call_id),
          name: text(message.tool_name),
          text: text(message.content),
        })),
      maxTokens: number(options.num_predict),
      temperature: number(options.temperature),
      seed: number(options.seed),
      stream: body.stream !== false,
      turns: said.filter((message) => message.role === "assistant"),
    },
  );
}

/** All pieces of a reply; the last one has `done` and the token counts. */
export function ollamaPieces(item: SeenRequest, reply: Reply, usage: Tokens): Json[] {
  const head = { model: item.model, created_at: new Date(item.at).toISOString() };
  const piece = (message: Json) => ({
    ...head,
    message: { role: "assistant", content: "", ...message },
    done: false,
  });
  const words = reply.empty === true ? "" : (reply.refusal ?? reply.text ?? "");
  return [
    ...(reply.reasoning?.match(/\S+\s*/g) ?? []).map((word) => piece({ thinking: word })),
    ...(words.match(/\S+\s*/g) ?? []).map((word) => piece({ content: word })),
    ...(reply.toolCalls ?? []).map((call) =>
      piece({ tool_calls: [{ function: { name: call.name, arguments: call.arguments } }] }),
    ),
    {
      ...head,
      message: { role: "assistant", content: "" },
      done: true,
      done_reason: reply.finish ?? "stop",
      prompt_eval_count: usage.input,
      eval_count: usage.output + (usage.thinking ?? 0),
    },
  ];
}

/** The reply to a request without streaming. */
export function ollamaBody(item: SeenRequest, reply: Reply, usage: Tokens): Json {
  const pieces = ollamaPieces(item, reply, usage);
  const joined = (name: string) =>
    pieces.map((piece) => text(object(piece.message)[name])).join("");
  const tool_calls = pieces.flatMap((piece) => list(object(piece.message).tool_calls));
  const thinking = joined("thinking");
  return {
    ...pieces.at(-1),
    message: {
      role: "assistant",
      content: joined("content"),
      ...(thinking === "" ? {} : { thinking }),
      ...(tool_calls.length === 0 ? {} : { tool_calls }),
    },
  };
}
