import { createReadStream } from "node:fs";
import { z } from "zod";
import { unusable } from "../../attempt.ts";
import type { BatchApi, BatchResult, RemoteBatch } from "../../batch/batch-api.ts";
import { readResultLines } from "../../batch/result-lines.ts";
import type { RequestLimits } from "../../define-provider.ts";
import { jsonOrText } from "../../json.ts";
import type { PiecedBody } from "../../media-body.ts";
import { requestOnce } from "../../post.ts";
import type { Target } from "../../target.ts";

/* OpenAI's Batch API with its Files API, from the API reference. */

const MB = 2 ** 20;
/** Where our id is kept with a batch. */
const ID = "video_rrd";
const MOST_PAGES = 100;

const Batch = z.object({
  id: z.string().min(1),
  status: z.string(),
  output_file_id: z.string().nullish(),
  error_file_id: z.string().nullish(),
  request_counts: z.object({ completed: z.number(), failed: z.number() }).nullish(),
  errors: z
    .object({
      data: z
        .array(z.object({ code: z.string().nullish(), message: z.string().nullish() }))
        .nullish(),
    })
    .nullish()
    .catch(null),
  metadata: z.record(z.string(), z.unknown()).nullish().catch(null),
});

const Line = z.object({
  custom_id: z.string(),
  response: z.object({ status_code: z.number(), body: z.unknown() }).nullish(),
  error: z.object({ code: z.string().nullish(), message: z.string().nullish() }).nullish(),
});

/** Codes of requests that were not processed. */
const UNANSWERED = new Set(["batch_expired", "batch_cancelled"]);

export const openaiBatches: BatchApi = {
  price: 0.5,
  most: { requests: 50_000, bytes: 200 * MB },
  line: (key) => ({
    before: `{"custom_id":${JSON.stringify(key)},"method":"POST","url":"/v1/chat/completions","body":`,
    after: "}",
  }),
  async check(target, limits) {
    const text = await send(target, "GET", "/batches?limit=1", limits);
    if (!z.object({ data: z.array(z.unknown()) }).safeParse(jsonOrText(text)).success)
      throw unusable("not a list of batches");
  },
  async upload(target, { id, path, bytes }, limits) {
    const boundary = `video-rrd-${id}`;
    const part = (name: string, more = "") =>
      `--${boundary}\r\ncontent-disposition: form-data; name="${name}"${more}\r\n`;
    const before = `${part("purpose")}\r\nbatch\r\n${part("file", `; filename="${id}.jsonl"`)}content-type: application/jsonl\r\n\r\n`;
    const after = `\r\n--${boundary}--\r\n`;
    const body: PiecedBody = {
      async *[Symbol.asyncIterator]() {
        yield Buffer.from(before);
        yield* createReadStream(path) as AsyncIterable<Buffer<ArrayBuffer>>;
        yield Buffer.from(after);
      },
    };
    const text = await send(target, "POST", "/files", limits, {
      headers: {
        "content-type": `multipart/form-data; boundary=${boundary}`,
        "content-length": String(Buffer.byteLength(before) + bytes + Buffer.byteLength(after)),
      },
      body,
    });
    const read = z.object({ id: z.string().min(1) }).safeParse(jsonOrText(text));
    if (!read.success) throw unusable("not a file of the Files API");
    return read.data.id;
  },
  async create(target, { id, input }, limits) {
    const body = {
      input_file_id: input,
      endpoint: "/v1/chat/completions",
      completion_window: "24h",
      metadata: { [ID]: id },
    };
    return readBatch(
      await send(target, "POST", "/batches", limits, {
        headers: { "content-type": "application/json" },
        body: JSON.stringify(body),
      }),
    );
  },
  async find(target, id, limits) {
    let after = "";
    for (let page = 0; page < MOST_PAGES; page++) {
      const text = await send(target, "GET", `/batches?limit=100${after}`, limits);
      const read = z
        .object({ data: z.array(Batch), has_more: z.boolean().nullish() })
        .safeParse(jsonOrText(text));
      if (!read.success) throw unusable("not a list of batches");
      const { data, has_more } = read.data;
      const found = data.find(({ metadata }) => metadata?.[ID] === id);
      if (found !== undefined) return describe(found);
      const last = data.at(-1);
      if (!has_more || last === undefined) return null;
      after = `&after=${encodeURIComponent(last.id)}`;
    }
    return null;
  },
  get: async (target, name, limits) =>
    readBatch(await send(target, "GET", `/batches/${encodeURIComponent(name)}`, limits)),
  async results(target, { results }, limits) {
    const lines: BatchResult[] = [];
    for (const name of results) {
      const text = await send(target, "GET", `/files/${encodeURIComponent(name)}/content`, limits);
      lines.push(...readResultLines(text, readLine));
    }
    return lines;
  },
  async cancel(target, name, limits) {
    await send(target, "POST", `/batches/${encodeURIComponent(name)}/cancel`, limits);
  },
  async removeFile(target, name, limits) {
    await send(target, "DELETE", `/files/${encodeURIComponent(name)}`, limits);
  },
};

async function send(
  target: Target,
  method: "POST" | "GET" | "DELETE",
  path: string,
  limits: RequestLimits,
  { headers = {}, body }: { headers?: Record<string, string>; body?: string | PiecedBody } = {},
): Promise<string> {
  const { text } = await requestOnce(method, `${target.baseUrl}${path}`, {
    headers: { authorization: `Bearer ${target.key}`, ...target.headers, ...headers },
    ...(body === undefined ? {} : { body }),
    target,
    ...limits,
    refusal: (words) => ({ words: errorIn(words) ?? words, retryAfter_s: null }),
  });
  return text;
}

/** The message of an error. */
function errorIn(body: string): string | undefined {
  const read = z.object({ error: z.object({ message: z.string() }) }).safeParse(jsonOrText(body));
  return read.data?.error.message;
}

function readBatch(text: string): RemoteBatch {
  const read = Batch.safeParse(jsonOrText(text));
  if (!read.success) throw unusable("not a batch");
  return describe(read.data);
}

function describe(batch: z.infer<typeof Batch>): RemoteBatch {
  const { id, status, request_counts, output_file_id, error_file_id } = batch;
  const problems = batch.errors?.data ?? [];
  const why = problems.flatMap(({ code, message }) => message ?? code ?? []).join("; ");
  return {
    name: id,
    state: stateOf(
      status,
      problems.map(({ code }) => code ?? ""),
    ),
    why: why === "" ? null : why,
    done: (request_counts?.completed ?? 0) + (request_counts?.failed ?? 0),
    results: [output_file_id, error_file_id].flatMap((name) => name ?? []),
  };
}

function stateOf(status: string, codes: readonly string[]): RemoteBatch["state"] {
  if (status === "failed") return codes.includes("token_limit_exceeded") ? "full" : "failed";
  if (status === "completed" || status === "expired") return "ended";
  return status === "cancelled" ? "cancelled" : "running";
}

function readLine(text: string): BatchResult | null {
  const read = Line.safeParse(jsonOrText(text));
  if (!read.success) return null;
  const { custom_id: key, response, error } = read.data;
  if (response != null)
    return { key, reply: { status: response.status_code, body: JSON.stringify(response.body) } };
  if (UNANSWERED.has(error?.code ?? "")) return { key, reply: null };
  const message = error?.message ?? error?.code ?? "no reason given";
  return {
    key,
    // The batch failed at this request, not the request itself.
    reply: { status: 500, body: JSON.stringify({ error: { message, code: error?.code } }) },
  };
}
