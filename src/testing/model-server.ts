import { createHash } from "node:crypto";
import { appendFileSync } from "node:fs";
import { createServer, type IncomingMessage, type ServerResponse } from "node:http";
import type { AddressInfo } from "node:net";
import { createModelFiles, isFilesPath, type ModelFiles } from "./files-api.ts";
import { bodyOf, readBody, routeOf } from "./protocols.ts";
import type { Reply, Script, SeenRequest } from "./script.ts";

/** A running scripted model server. */
export interface ModelServer extends AsyncDisposable {
  /** URL for `--base-url` or `runtime.base_url`, for every protocol. */
  url: string;
  port: number;
  /** All requests in order, with decoded media. */
  requests: SeenRequest[];
  /** Files uploaded to the Files API. */
  files: ModelFiles;
  /** Chat requests only. */
  chats(): SeenRequest[];
  /** Number of requests in flight. */
  inFlight(): number;
  maxInFlight(): number;
  /** Replaces the script from the next request on. */
  answer(script: Script): void;
  /** Clears the requests and the maximum in flight. */
  reset(): void;
  /** Stops the server and closes open connections. */
  close(): Promise<void>;
}

/** Port, log and models of the server. */
export interface ServerOptions {
  /** Default: any free port. */
  port?: number;
  /** File that gets a JSON line for each request as it arrives, to count requests from another process. */
  log?: string;
  /** `light` drops the media of a request after its reply. Default `all`. */
  keep?: "all" | "light";
  /** Names of models that `/v1/models` lists. */
  models?: string[];
}

/**
 * Starts a scripted model server on loopback, for tests: real clients call it over HTTP, and it records their requests.
 * It speaks OpenAI's chat completions, models, embeddings and transcriptions, Gemini's generateContent, embeddings and Files
 * API, Anthropic's messages, and Ollama's chat.
 * A script gets each request, decoded and in the same form for every protocol, and returns the text of the reply or a `Reply`
 * with tool calls, usage, an error status, a delay or a dropped connection. If a script throws, the status is 400.
 *
 * @example
 * await using server = await startModelServer(({ texts, images }) =>
 *   texts.join("\n").includes("How many") ? `${images.length}` : { status: 429, text: "slow down" },
 * );
 * const settings = {
 *   strategy: "direct",
 *   model: "openai:any",
 *   runtime: { base_url: server.url },
 * };
 * await ask("clip.mp4", "How many frames do you see?", { settings });
 * console.log(server.requests[0]?.images.length);
 */
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
      if (response.headersSent) return response.destroy();
      const message = `The scripted model server cannot reply: ${String(error)}`;
      response.writeHead(400, { "content-type": "application/json" });
      response.end(JSON.stringify({ error: { message } }));
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
    const said =
      refusalOf(item) ??
      (route.kind === "models" ? { text: "" } : await Promise.resolve(current(item)));
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
  const close = () =>
    new Promise<void>((done) => {
      server.close(() => done());
      server.closeAllConnections();
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
    close,
    [Symbol.asyncDispose]: close,
  };
}

/** How the provider's own server refuses such a request; null if it accepts it. */
function refusalOf(item: SeenRequest): Reply | null {
  if (missesFile(item))
    return {
      status: 403,
      text: "You do not have permission to access the File or it may not exist.",
    };
  const { protocol, tools, toolCalls, toolResults } = item;
  if (protocol === "anthropic" && tools.length === 0 && toolCalls.length + toolResults.length > 0)
    return {
      status: 400,
      text: "Requests which have `tool_use` or `tool_result` blocks in messages must define tools.",
    };
  return null;
}

/** Whether a request names an uploaded file that does not exist. */
function missesFile({ parts }: SeenRequest): boolean {
  return parts.some(
    (part) => part.type !== "text" && part.uri !== undefined && part.bytes.length === 0,
  );
}

/** Waits for a time, or until the client disconnects. */
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

const KEY_HEADERS = new Set(["authorization", "x-goog-api-key", "x-api-key", "api-key"]);

function redacted(headers: IncomingMessage["headers"]): Record<string, string> {
  return Object.fromEntries(
    Object.entries(headers).map(([name, value]) => [
      name,
      KEY_HEADERS.has(name) ? "(redacted)" : String(value),
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
