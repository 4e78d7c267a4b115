import { createServer, type IncomingMessage, type ServerResponse } from "node:http";
import type { AddressInfo } from "node:net";
import { type ModelServer, type Script, startModelServer } from "./model-server.ts";

/*
 * OpenAI's Batch and Files API and Gemini's Batch API in front of the scripted model server, from their API references.
 * A line of a batch is answered as the direct call with the same body.
 */

type Json = Record<string, unknown>;

export interface SentBatch {
  id: string;
  /** Our id: the metadata of OpenAI, the display name of Gemini. */
  ours: string;
  /** Lines of its file, parsed; and the bodies as they were sent. */
  lines: Json[];
  bodies: string[];
  status: string;
  looks: number;
  output: string[];
  errors: string[];
}

export interface BatchServer extends AsyncDisposable {
  /** For `--base-url`. */
  url: string;
  /** The server that answers direct calls, and the lines of batches. */
  model: ModelServer;
  batches: SentBatch[];
  /** Ids of files that exist. */
  files: Map<string, Buffer>;
  /** Every request of the interface: `POST /v1/batches`. */
  log: string[];
  close(): Promise<void>;
}

export interface BatchRules {
  /** Looks after which a batch ends. Default 1. */
  looks?: number;
  /** Lines that are not processed, by the number of the batch from 0. */
  expires?: (line: Json, batch: number) => boolean;
  /** The end of a batch instead of its results. */
  fails?: (batch: number) => { code: string; message: string } | null;
  /** The value of `X-Gateway-Key` without which nothing is answered. */
  gatewayKey?: string;
  /** Called before a request is answered; false: the connection is dropped after the work is done. */
  replies?: (request: string) => boolean;
}

export async function startBatchServer(
  script: Script,
  rules: BatchRules = {},
): Promise<BatchServer> {
  const model = await startModelServer(script);
  const batches: SentBatch[] = [];
  const files = new Map<string, Buffer>();
  const log: string[] = [];
  const origin = () => `http://127.0.0.1:${(server.address() as AddressInfo).port}`;

  const server = createServer((request, response) => {
    handle(request, response).catch((error: unknown) => {
      response.writeHead(500, { "content-type": "application/json" });
      response.end(JSON.stringify({ error: { message: String(error) } }));
    });
  });

  async function handle(request: IncomingMessage, response: ServerResponse) {
    if (rules.gatewayKey !== undefined && request.headers["x-gateway-key"] !== rules.gatewayKey) {
      response.writeHead(401, { "content-type": "application/json" });
      return response.end(JSON.stringify({ error: { message: "The gateway needs its key." } }));
    }
    const chunks: Buffer[] = [];
    for await (const chunk of request) chunks.push(chunk as Buffer);
    const raw = Buffer.concat(chunks);
    const { pathname } = new URL(request.url ?? "/", "http://loopback");
    // Gemini's client adds its own version to an address that ends in /v1.
    const path = pathname.replace(/^\/v1(?=\/(v1beta|upload|download)\/)/, "");
    const route = `${request.method} ${path}`;
    const said = await (openai(route, request, raw) ?? gemini(route, raw));
    if (said === null) return proxy(request, raw, response);
    log.push(route);
    if (rules.replies?.(route) === false) return response.socket?.destroy();
    const [status, body] = said;
    response.writeHead(status, { "content-type": "application/json" });
    response.end(typeof body === "string" ? body : JSON.stringify(body));
  }

  type Said = [status: number, body: Json | string];

  function openai(route: string, request: IncomingMessage, raw: Buffer): Promise<Said> | null {
    const [, id = ""] = /^\w+ \/v1\/(?:batches|files)\/([^/]+)/.exec(route) ?? [];
    const batch = batches.find((one) => one.id === id);
    const missing: Said = [404, { error: { message: `no ${id}` } }];
    if (route === "POST /v1/files") return upload(request, raw);
    if (route === "POST /v1/batches") return Promise.resolve(create(JSON.parse(String(raw))));
    if (route === "GET /v1/batches")
      return Promise.resolve([
        200,
        { object: "list", data: batches.map(described), has_more: false },
      ]);
    if (route === `POST /v1/batches/${id}/cancel`) {
      if (batch !== undefined) batch.status = "cancelled";
      return Promise.resolve(batch === undefined ? missing : [200, described(batch)]);
    }
    if (route === `GET /v1/batches/${id}`) {
      if (batch === undefined) return Promise.resolve(missing);
      return look(batch, openaiLine).then(() => [200, described(batch)]);
    }
    if (route === `GET /v1/files/${id}/content`) {
      const content = files.get(id);
      return Promise.resolve(content === undefined ? missing : [200, content.toString()]);
    }
    if (route === `DELETE /v1/files/${id}`) {
      const deleted = files.delete(id);
      return Promise.resolve(deleted ? [200, { id, object: "file", deleted }] : missing);
    }
    return null;
  }

  async function upload(request: IncomingMessage, raw: Buffer): Promise<Said> {
    const form = await new Response(new Uint8Array(raw), {
      headers: { "content-type": request.headers["content-type"] ?? "" },
    }).formData();
    const file = form.get("file");
    if (form.get("purpose") !== "batch" || !(file instanceof File))
      return [400, { error: { message: "a batch needs a file and the purpose batch" } }];
    const id = `file-in-${files.size + 1}`;
    files.set(id, Buffer.from(await file.arrayBuffer()));
    const { name: filename, size: bytes } = file;
    return [200, { id, object: "file", purpose: "batch", filename, bytes, status: "processed" }];
  }

  function create(asked: Json): Said {
    const content = files.get(String(asked.input_file_id));
    if (
      content === undefined ||
      asked.endpoint !== "/v1/chat/completions" ||
      asked.completion_window !== "24h"
    )
      return [400, { error: { message: "invalid batch" } }];
    const ours = String((asked.metadata as Json | undefined)?.video_rrd ?? "");
    const batch = addBatch(`batch_${batches.length + 1}`, ours, content, "body");
    batch.status = "validating";
    return [200, described(batch)];
  }

  function addBatch(id: string, ours: string, content: Buffer, member: string): SentBatch {
    const texts = content.toString().trimEnd().split("\n");
    const lines = texts.map((line) => JSON.parse(line) as Json);
    // The bytes of the body, which a parsed one would not show.
    const bodies = texts.map((line) =>
      line.slice(line.indexOf(`"${member}":`) + member.length + 3, -1),
    );
    const batch = { id, ours, lines, bodies, status: "", looks: 0, output: [], errors: [] };
    batches.push(batch);
    return batch;
  }

  async function look(
    batch: SentBatch,
    answer: (line: Json, body: string, to: SentBatch) => Promise<void>,
  ): Promise<void> {
    if (batch.status === "cancelled" || batch.looks === Number.POSITIVE_INFINITY) return;
    batch.status = "in_progress";
    if (++batch.looks < (rules.looks ?? 1)) return;
    batch.looks = Number.POSITIVE_INFINITY;
    const number = batches.indexOf(batch);
    if (rules.fails?.(number) != null) {
      batch.status = "failed";
      return;
    }
    batch.status = "completed";
    for (const [index, line] of batch.lines.entries())
      if (rules.expires?.(line, number)) batch.status = "expired";
      else await answer(line, batch.bodies[index] ?? "", batch);
    const custom_ids = batch.lines.filter((line) => rules.expires?.(line, number));
    for (const { custom_id } of custom_ids)
      batch.errors.push(
        JSON.stringify({
          ...{ id: "batch_req", custom_id, response: null },
          error: { code: "batch_expired", message: "This request could not be executed in time." },
        }),
      );
    for (const [name, lines] of Object.entries({ out: batch.output, err: batch.errors }))
      if (lines.length > 0)
        files.set(`file-${name}-${batch.id}`, Buffer.from(`${lines.join("\n")}\n`));
  }

  async function openaiLine(line: Json, body: string, to: SentBatch) {
    const { status, text } = await direct(String(line.url), body);
    const response = { status_code: status, request_id: "req", body: JSON.parse(text) };
    const said = JSON.stringify({
      ...{ id: "batch_req", custom_id: line.custom_id, response, error: null },
    });
    (status === 200 ? to.output : to.errors).push(said);
  }

  async function direct(path: string, body: string) {
    const response = await fetch(`http://127.0.0.1:${model.port}${path}`, {
      method: "POST",
      headers: { "content-type": "application/json" },
      body,
    });
    return { status: response.status, text: await response.text() };
  }

  function described(batch: SentBatch): Json {
    const { id, lines, status, output, errors, ours } = batch;
    const problem = status === "failed" ? rules.fails?.(batches.indexOf(batch)) : null;
    return {
      ...{
        id,
        object: "batch",
        endpoint: "/v1/chat/completions",
        completion_window: "24h",
        status,
      },
      input_file_id: "file-in",
      output_file_id: output.length > 0 ? `file-out-${id}` : null,
      error_file_id: errors.length > 0 ? `file-err-${id}` : null,
      errors: problem == null ? null : { object: "list", data: [problem] },
      request_counts: { total: lines.length, completed: output.length, failed: errors.length },
      metadata: { video_rrd: ours },
      created_at: 1_700_000_000,
    };
  }

  function gemini(route: string, raw: Buffer): Promise<Said | null> {
    const [, name = ""] = /\/v1beta\/(batches\/[^/:]+)/.exec(route) ?? [];
    const batch = batches.find((one) => one.id === name);
    const started = /^POST \/v1beta\/models\/(.+):batchGenerateContent$/.exec(route);
    if (started !== null) {
      const asked = (JSON.parse(String(raw)) as { batch: Json }).batch;
      const file = String((asked.inputConfig as Json).fileName);
      const content = model.files.all.find((one) => one.name === file && !one.deleted);
      if (content === undefined)
        return Promise.resolve([400, { error: { code: 400, message: "no such file" } }]);
      const added = addBatch(
        `batches/${batches.length + 1}`,
        String(asked.displayName),
        content.bytes,
        "request",
      );
      added.status = `model ${started[1]}`;
      return Promise.resolve([200, operation(added)]);
    }
    if (route === "GET /v1beta/batches")
      return Promise.resolve([200, { operations: batches.map(operation) }]);
    if (batch !== undefined && route === `GET /v1beta/${name}`) {
      const path = `/v1beta/models/any:generateContent`;
      return look(batch, async ({ key }, body, to) => {
        const { status, text } = await direct(path, body);
        const said: Json = JSON.parse(text);
        to.output.push(JSON.stringify({ key, ...(status === 200 ? { response: said } : said) }));
      }).then(() => [200, operation(batch)]);
    }
    if (batch !== undefined && route === `POST /v1beta/${name}:cancel`) {
      batch.status = "cancelled";
      return Promise.resolve([200, {}]);
    }
    const [, result = ""] = /^DELETE \/v1beta\/files\/(.+)$/.exec(route) ?? [];
    if (files.delete(result)) return Promise.resolve([200, {}]);
    const [, wanted] = /^GET \/download\/v1beta\/files\/(.+):download$/.exec(route) ?? [];
    const content = files.get(wanted ?? "");
    return Promise.resolve(content === undefined ? null : [200, content.toString()]);
  }

  function operation(batch: SentBatch): Json {
    const states: Json = {
      completed: "BATCH_STATE_SUCCEEDED",
      expired: "BATCH_STATE_EXPIRED",
      failed: "BATCH_STATE_FAILED",
      cancelled: "BATCH_STATE_CANCELLED",
      in_progress: "BATCH_STATE_RUNNING",
    };
    const isDone = ["completed", "expired"].includes(batch.status);
    return {
      name: batch.id,
      metadata: {
        displayName: batch.ours,
        state: states[batch.status] ?? "BATCH_STATE_PENDING",
        batchStats: {
          requestCount: String(batch.lines.length),
          successfulRequestCount: String(batch.output.length),
        },
      },
      done: isDone,
      ...(isDone ? { response: { responsesFile: `files/file-out-${batch.id}` } } : {}),
    };
  }

  /** Direct calls, and Gemini's Files API. */
  async function proxy(request: IncomingMessage, raw: Buffer, response: ServerResponse) {
    const to = `http://127.0.0.1:${model.port}`;
    const headers = Object.fromEntries(
      Object.entries(request.headers).filter(
        ([name]) => !["host", "content-length", "connection", "transfer-encoding"].includes(name),
      ),
    ) as Record<string, string>;
    const got = await fetch(`${to}${request.url}`, {
      method: request.method ?? "GET",
      headers,
      ...(raw.length === 0 ? {} : { body: new Uint8Array(raw) }),
    });
    const body = Buffer.from(await got.arrayBuffer());
    const upload = got.headers.get("x-goog-upload-url");
    response.writeHead(got.status, {
      ...Object.fromEntries(
        [...got.headers].filter(
          ([name]) => !["transfer-encoding", "content-length"].includes(name),
        ),
      ),
      ...(upload === null ? {} : { "x-goog-upload-url": upload.replace(to, origin()) }),
    });
    response.end(body);
  }

  await new Promise<void>((done) => server.listen(0, "127.0.0.1", done));
  const close = async () => {
    server.closeAllConnections();
    await new Promise((done) => server.close(done));
    await model.close();
  };
  return {
    url: `${origin()}/v1`,
    ...{ model, batches, files, log, close },
    [Symbol.asyncDispose]: close,
  };
}
