import { createHash } from "node:crypto";
import { appendFileSync } from "node:fs";
import { createServer, type IncomingMessage, type ServerResponse } from "node:http";
import type { AddressInfo } from "node:net";
import { resolve } from "node:path";
import { pathToFileURL } from "node:url";
import { parseArgs } from "node:util";
import sharp from "sharp";
import { createModelFiles, isFilesPath, type ModelFiles } from "./model-files.ts";
import {
  type Asked,
  embeddingOf,
  errorBody,
  estimateUsage,
  googleBody,
  openaiBody,
  openaiStream,
  readGoogle,
  readOpenAI,
} from "./model-protocols.ts";

/*
 * A scripted model server on loopback that speaks OpenAI's chat completions (with models, embeddings and
 * transcriptions) and Gemini's generateContent with its Files API. A script sees each request decoded, whatever protocol carried it.
 */

export type { SeenPart } from "./model-protocols.ts";

/** One request, decoded. */
export interface SeenRequest extends Asked {
  protocol: "openai" | "google";
  kind: "chat" | "models" | "embeddings" | "transcription";
  /** Arrival order over all kinds, from 0. */
  index: number;
  /** Milliseconds since 1970. */
  at: number;
  path: string;
  /** Keys redacted. */
  headers: Record<string, string>;
  /** SHA-256 of the body: equal for equal requests. */
  hash: string;
  bytes: number;
  /** The body as it was parsed; null for a form. */
  body: unknown;
  /** Requests being answered when this one had arrived, itself included. */
  inFlight: number;
  /** The client hung up before the reply was out. */
  aborted: boolean;
  /** Status sent, 0 for a dropped connection or while there is none. */
  status: number;
}

export interface Reply {
  text?: string;
  /** `signature`: Gemini's thought signature of the call. */
  toolCalls?: { name: string; arguments: unknown; id?: string; signature?: string }[];
  /** OpenAI-compatible servers' `reasoning_content`; Gemini's part that is a thought. */
  reasoning?: string;
  /** Further members of an OpenAI-compatible message. */
  message?: Record<string, unknown>;
  /** Token -> log-probability at the first position. */
  logprobs?: Record<string, number>;
  /** The protocol's own word; default `stop`, or `tool_calls`. `refused` works for both. */
  finish?: string;
  /** OpenAI's `message.refusal`; Gemini's `promptFeedback.blockReason`. */
  refusal?: string;
  /** Other than 200: an error with `text` as the server's words. */
  status?: number;
  headers?: Record<string, string>;
  drop?: "before" | "middle";
  delay_ms?: number;
  /** A good reply without any text. */
  empty?: boolean;
  usage?: { input: number; output: number; thinking?: number; cached?: number };
  /** Sent as it is, in place of a reply of the protocol. */
  body?: string;
  /** For transcriptions. */
  segments?: { start: number; end: number; text: string }[];
  /** For embeddings; default: a hashed bag of words. */
  vectors?: number[][];
}

export type Script = (request: SeenRequest) => Reply | string | Promise<Reply | string>;

export interface ModelServer {
  /** For `--base-url`: both protocols are served under it. */
  url: string;
  port: number;
  requests: SeenRequest[];
  /** What was uploaded to the Files API. */
  files: ModelFiles;
  /** Chat requests alone. */
  chats(): SeenRequest[];
  inFlight(): number;
  maxInFlight(): number;
  /** Replaces the script from the next request on. */
  answer(script: Script): void;
  /** Forgets requests and the maximum in flight. */
  reset(): void;
  close(): Promise<void>;
}

export interface ServerOptions {
  port?: number;
  /** A JSON line for each request as it arrives, for whoever counts from another process. */
  log?: string;
  /** `light` forgets the media of a request once it is answered. Default `all`. */
  keep?: "all" | "light";
  /** What `/v1/models` lists. */
  models?: string[];
}

export async function startModelServer(
  script: Script,
  options: ServerOptions = {},
): Promise<ModelServer> {
  let current = script;
  let seen: SeenRequest[] = [];
  let count = 0;
  let flying = 0;
  let most = 0;
  const files = createModelFiles(() => `http://127.0.0.1:${port()}`);
  const port = () => (server.address() as AddressInfo).port;

  const server = createServer((request, response) => {
    flying++;
    most = Math.max(most, flying);
    response.once("close", () => flying--);
    handle(request, response).catch((error: unknown) => {
      if (response.headersSent) response.destroy();
      else response.writeHead(599).end(`model-server: ${String(error)}`);
    });
  });

  async function handle(request: IncomingMessage, response: ServerResponse) {
    const chunks: Buffer[] = [];
    for await (const chunk of request) chunks.push(chunk as Buffer);
    const raw = Buffer.concat(chunks);
    const path = new URL(request.url ?? "/", "http://loopback").pathname;
    if (isFilesPath(path)) {
      if (options.log !== undefined)
        appendFileSync(options.log, `${JSON.stringify({ files: request.method, path })}\n`);
      files.handle(request, path, raw, response);
      return;
    }
    const route = routeOf(path);
    if (route === undefined) {
      response.writeHead(404, { "content-type": "application/json" });
      response.end(JSON.stringify({ error: { message: `no route ${path}` } }));
      return;
    }
    const { body, ...asked } = await readBody(route, path, request, raw, files);
    const item: SeenRequest = {
      ...asked,
      protocol: route.protocol,
      kind: route.kind,
      index: count++,
      at: Date.now(),
      path,
      headers: redacted(request.headers),
      hash: createHash("sha256").update(raw).digest("hex"),
      bytes: raw.length,
      body,
      inFlight: flying,
      aborted: false,
      status: 0,
    };
    seen.push(item);
    if (options.log !== undefined) appendFileSync(options.log, `${logLine(item)}\n`);
    response.once("close", () => {
      if (!response.writableFinished && item.status !== -1) item.aborted = true;
    });
    const said = missesFile(item)
      ? { status: 403, text: "You do not have permission to access the File or it may not exist." }
      : route.kind === "models"
        ? { text: "" }
        : await Promise.resolve(current(item));
    const reply: Reply = typeof said === "string" ? { text: said } : said;
    if (reply.delay_ms !== undefined) await pause(reply.delay_ms, response);
    if (response.destroyed) return;
    send(item, reply, response);
    if (options.keep === "light") forgetMedia(item);
  }

  function send(item: SeenRequest, reply: Reply, response: ServerResponse) {
    if (reply.drop === "before") {
      item.status = -1;
      response.socket?.destroy();
      return;
    }
    const status = reply.status ?? 200;
    const { type, body } = bodyOf(item, reply, status, options.models ?? ["scripted"]);
    const payload = Buffer.from(body);
    const headers = { "content-type": type, "content-length": payload.length, ...reply.headers };
    if (reply.drop === "middle") {
      item.status = -1;
      response.writeHead(status, headers);
      response.write(payload.subarray(0, Math.ceil(payload.length / 2)), () =>
        response.socket?.destroy(),
      );
      return;
    }
    item.status = status;
    response.writeHead(status, headers).end(payload);
  }

  await new Promise<void>((done, failed) => {
    server.once("error", failed);
    server.listen(options.port ?? 0, "127.0.0.1", done);
  });
  return {
    url: `http://127.0.0.1:${port()}/v1`,
    port: port(),
    files,
    get requests() {
      return seen;
    },
    chats: () => seen.filter((item) => item.kind === "chat"),
    inFlight: () => flying,
    maxInFlight: () => most,
    answer: (next) => {
      current = next;
    },
    reset: () => {
      seen = [];
      most = flying;
    },
    close: () =>
      new Promise((done) => {
        server.close(() => done());
        server.closeAllConnections();
      }),
  };
}

/** Whether a request names an uploaded file that is not there. */
function missesFile({ parts }: SeenRequest): boolean {
  return parts.some(
    (part) => part.type !== "text" && part.uri !== undefined && part.bytes.length === 0,
  );
}

interface Route {
  protocol: "openai" | "google";
  kind: SeenRequest["kind"];
}

function routeOf(path: string): Route | undefined {
  if (path.endsWith("/chat/completions")) return { protocol: "openai", kind: "chat" };
  if (path.endsWith(":generateContent")) return { protocol: "google", kind: "chat" };
  if (path.endsWith(":batchEmbedContents")) return { protocol: "google", kind: "embeddings" };
  if (path.endsWith("/embeddings")) return { protocol: "openai", kind: "embeddings" };
  if (path.endsWith("/audio/transcriptions")) return { protocol: "openai", kind: "transcription" };
  if (path.endsWith("/v1beta/models")) return { protocol: "google", kind: "models" };
  if (path.endsWith("/models")) return { protocol: "openai", kind: "models" };
  return undefined;
}

async function readBody(
  route: Route,
  path: string,
  request: IncomingMessage,
  raw: Buffer,
  files: ModelFiles,
): Promise<Asked & { body: unknown }> {
  if (route.kind === "transcription") {
    const form = await new Response(new Uint8Array(raw), {
      headers: { "content-type": request.headers["content-type"] ?? "" },
    }).formData();
    const file = form.get("file");
    const bytes = file instanceof Blob ? Buffer.from(await file.arrayBuffer()) : Buffer.alloc(0);
    const asked = readOpenAI({ model: form.get("model") ?? "" });
    const format = String(form.get("response_format") ?? "json");
    return { ...asked, audios: [bytes], format, body: null };
  }
  const body: unknown = raw.length === 0 ? {} : JSON.parse(raw.toString("utf8"));
  const asked =
    route.protocol === "google" ? readGoogle(body, path, files.bytesAt) : readOpenAI(body);
  return { ...asked, body };
}

function bodyOf(
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
      return item.format === "text"
        ? { type: "text/plain", body: reply.text ?? "" }
        : json({ text: reply.text ?? "", segments: reply.segments });
    case "chat":
      if (item.protocol === "google") return json(googleBody(item, reply, usage));
      return item.stream
        ? { type: "text/event-stream", body: openaiStream(item, reply, usage) }
        : json(openaiBody(item, reply, usage));
  }
}

/** Waits, or until the client has gone. */
function pause(ms: number, response: ServerResponse): Promise<void> {
  return new Promise((done) => {
    const timer = setTimeout(finish, ms);
    function finish() {
      clearTimeout(timer);
      response.off("close", finish);
      done();
    }
    response.once("close", finish);
  });
}

function redacted(headers: IncomingMessage["headers"]): Record<string, string> {
  return Object.fromEntries(
    Object.entries(headers).map(([name, value]) => [
      name,
      name === "authorization" || name === "x-goog-api-key" ? "(redacted)" : String(value),
    ]),
  );
}

function logLine(item: SeenRequest): string {
  const sha = (bytes: Buffer) => createHash("sha256").update(bytes).digest("hex");
  return JSON.stringify({
    index: item.index,
    at: item.at,
    protocol: item.protocol,
    kind: item.kind,
    model: item.model,
    hash: item.hash,
    inFlight: item.inFlight,
    texts: item.texts,
    images: item.images.map(sha),
  });
}

function forgetMedia(item: SeenRequest) {
  item.images = [];
  item.videos = [];
  item.audios = [];
  item.parts = item.parts.filter((part) => part.type === "text");
  item.messages = [];
  item.turns = [];
  item.body = null;
}

/** Mean brightness of an image, 0 to 255. */
export async function grey(image: Buffer): Promise<number> {
  // `stats` looks at the input, whatever is asked of it before: the pixels have to be made first.
  const pixels = await sharp(image).greyscale().raw().toBuffer();
  return pixels.reduce((sum, value) => sum + value, 0) / pixels.length;
}

/** Mean red, green and blue of an image, 0 to 255 each. */
export async function meanColour(image: Buffer): Promise<[number, number, number]> {
  const pixels = await sharp(image).removeAlpha().toColourspace("srgb").raw().toBuffer();
  const sums: [number, number, number] = [0, 0, 0];
  for (const [index, value] of pixels.entries()) sums[(index % 3) as 0 | 1 | 2] += value;
  const mean = (sum: number) => (sum * 3) / pixels.length;
  return [mean(sums[0]), mean(sums[1]), mean(sums[2])];
}

async function main() {
  const { values } = parseArgs({
    options: {
      script: { type: "string" },
      port: { type: "string", default: "0" },
      log: { type: "string" },
    },
  });
  let script: Script = () => "A";
  if (values.script !== undefined) {
    const loaded = (await import(pathToFileURL(resolve(values.script)).href)) as {
      default: Script;
    };
    script = loaded.default;
  }
  const server = await startModelServer(script, {
    port: Number(values.port),
    log: values.log,
    keep: "light",
  });
  process.stdout.write(`${server.url}\n`);
}

if (import.meta.main) await main();
