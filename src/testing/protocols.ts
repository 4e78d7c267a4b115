import type { IncomingMessage } from "node:http";
import { anthropicBody, anthropicStream, readAnthropic } from "./anthropic.ts";
import { embeddingOf } from "./embedding.ts";
import type { ModelFiles } from "./files-api.ts";
import { googleBody, readGoogle } from "./google.ts";
import { ollamaBody, ollamaPieces, readOllama } from "./ollama.ts";
import { openaiBody, openaiStream, readOpenAI } from "./openai.ts";
import type { RequestContent } from "./request.ts";
import type { Reply, SeenRequest, Tokens } from "./script.ts";

/* Finds the protocol of a path; reads requests and writes replies of each protocol. */

export interface Route {
  protocol: SeenRequest["protocol"];
  kind: SeenRequest["kind"];
}

export function routeOf(path: string): Route | undefined {
  if (path.endsWith("/chat/completions")) return { protocol: "openai", kind: "chat" };
  if (path.endsWith("/v1/messages")) return { protocol: "anthropic", kind: "chat" };
  if (path.endsWith("/api/chat")) return { protocol: "ollama", kind: "chat" };
  if (path.endsWith(":generateContent")) return { protocol: "google", kind: "chat" };
  if (path.endsWith(":batchEmbedContents")) return { protocol: "google", kind: "embeddings" };
  if (path.endsWith("/embeddings")) return { protocol: "openai", kind: "embeddings" };
  if (path.endsWith("/audio/transcriptions")) return { protocol: "openai", kind: "transcription" };
  if (path.endsWith("/v1beta/models")) return { protocol: "google", kind: "models" };
  if (path.endsWith("/models")) return { protocol: "openai", kind: "models" };
  return undefined;
}

export async function readBody(
  route: Route,
  path: string,
  request: IncomingMessage,
  raw: Buffer,
  files: ModelFiles,
): Promise<RequestContent & { body: unknown }> {
  if (route.kind === "transcription") {
    const form = await new Response(new Uint8Array(raw), {
      headers: { "content-type": request.headers["content-type"] ?? "" },
    }).formData();
    const file = form.get("file");
    const bytes = file instanceof Blob ? Buffer.from(await file.arrayBuffer()) : Buffer.alloc(0);
    const asked = readOpenAI({ model: form.get("model") ?? "" });
    const format = String(form.get("response_format") ?? "json");
    const names = new Set([...form.keys()].filter((name) => name !== "file"));
    const body = Object.fromEntries([...names].map((name) => [name, form.getAll(name)]));
    return { ...asked, audios: [bytes], format, body };
  }
  const body: unknown = raw.length === 0 ? {} : JSON.parse(raw.toString("utf8"));
  return { ...readAsked(route, path, body, files), body };
}

function readAsked(
  { protocol }: Route,
  path: string,
  body: unknown,
  files: ModelFiles,
): RequestContent {
  switch (protocol) {
    case "openai":
      return readOpenAI(body);
    case "google":
      return readGoogle(body, path, files.bytesAt);
    case "anthropic":
      return readAnthropic(body);
    case "ollama":
      return readOllama(body);
  }
}

export function bodyOf(
  item: SeenRequest,
  reply: Reply,
  status: number,
  models: string[],
): { type: string; body: string } {
  const json = (value: unknown) => ({ type: "application/json", body: JSON.stringify(value) });
  if (reply.body !== undefined) return { type: "application/json", body: reply.body };
  if (status !== 200) return json(errorBody(item, reply, status));
  const usage = reply.usage ?? estimateUsage(item, reply.text ?? "");
  switch (item.kind) {
    case "models":
      return item.protocol === "google"
        ? json({ models: models.map((name) => ({ name: `models/${name}` })) })
        : json({ object: "list", data: models.map((id) => ({ id, object: "model" })) });
    case "embeddings":
      if (item.protocol === "google")
        return json({
          embeddings: item.texts.map((text, index) => ({
            values: reply.vectors?.[index] ?? embeddingOf(text),
          })),
        });
      return json({
        object: "list",
        model: item.model,
        data: item.texts.map((text, index) => ({
          object: "embedding",
          index,
          embedding: reply.vectors?.[index] ?? embeddingOf(text),
        })),
        usage: { prompt_tokens: usage.input, total_tokens: usage.input },
      });
    case "transcription":
      if (item.format === "text") return { type: "text/plain", body: reply.text ?? "" };
      if (item.format === "json") return json({ text: reply.text ?? "" });
      return json({ text: reply.text ?? "", segments: reply.segments, words: reply.words });
    case "chat":
      return chatBody(item, reply, usage);
  }
}

function chatBody(item: SeenRequest, reply: Reply, usage: Tokens): { type: string; body: string } {
  const json = (value: unknown) => ({ type: "application/json", body: JSON.stringify(value) });
  const events = (body: string) => ({ type: "text/event-stream", body });
  switch (item.protocol) {
    case "openai":
      return item.stream
        ? events(openaiStream(item, reply, usage))
        : json(openaiBody(item, reply, usage));
    case "google":
      return json(googleBody(item, reply, usage));
    case "anthropic":
      return item.stream
        ? events(anthropicStream(item, reply, usage))
        : json(anthropicBody(item, reply, usage));
    case "ollama": {
      if (!item.stream) return json(ollamaBody(item, reply, usage));
      const lines = ollamaPieces(item, reply, usage).map((piece) => `${JSON.stringify(piece)}\n`);
      return { type: "application/x-ndjson", body: lines.join("") };
    }
  }
}

function estimateUsage(asked: RequestContent, reply: string): { input: number; output: number } {
  const words = asked.texts.reduce((sum, item) => sum + item.length, 0);
  return {
    input: Math.ceil(words / 4) + asked.images.length * 258,
    output: Math.ceil(reply.length / 4),
  };
}

function errorBody(item: SeenRequest, reply: Reply, status: number): unknown {
  const message = reply.text ?? `scripted ${status}`;
  switch (item.protocol) {
    case "openai":
      return { error: { message, type: "scripted", param: null, code: null } };
    case "google":
      return { error: { code: status, message, status: "SCRIPTED" } };
    case "anthropic":
      return { type: "error", error: { type: "scripted", message } };
    case "ollama":
      return { error: message };
  }
}
