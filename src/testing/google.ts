import { type Json, list, number, object, text } from "./json.ts";
import { gather, type RequestContent, type SeenPart } from "./request.ts";
import type { Reply, SeenRequest, Tokens } from "./script.ts";

/* Gemini's generateContent and batchEmbedContents, from its public API reference. */

/** `bytesAt`: bytes of the uploaded file at a URI. */
export function readGoogle(
  input: unknown,
  path: string,
  bytesAt: (uri: string) => Buffer | undefined = () => undefined,
): RequestContent {
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
