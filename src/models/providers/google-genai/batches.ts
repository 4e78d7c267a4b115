import { z } from "zod";
import { unusable } from "../../attempt.ts";
import type { BatchApi, BatchResult, RemoteBatch } from "../../batch/batch-api.ts";
import { readResultLines } from "../../batch/result-lines.ts";
import type { RequestLimits } from "../../define-provider.ts";
import { jsonOrText } from "../../json.ts";
import { requestOnce } from "../../post.ts";
import type { Target } from "../../target.ts";
import { readRefusal } from "./client.ts";
import { deleteFile, uploadFile, whenActive } from "./files.ts";
import { modelPath } from "./model-path.ts";

/* Gemini's Batch API with files of requests and of results, from the API reference. */

const GB = 2 ** 30;
const MOST_PAGES = 100;

/** Numbers of 64 bits are sent as text. */
const Count = z.union([z.number(), z.string().regex(/^\d+$/).transform(Number)]).catch(0);
const Output = z.object({ responsesFile: z.string().optional() });

/** A long-running operation; its metadata describe the batch. */
const Operation = z.object({
  name: z.string().min(1),
  metadata: z
    .object({
      displayName: z.string().optional(),
      state: z.string().optional(),
      output: Output.optional(),
      batchStats: z
        .object({ successfulRequestCount: Count.optional(), failedRequestCount: Count.optional() })
        .optional(),
    })
    .optional(),
  error: z.object({ code: z.number().optional(), message: z.string().optional() }).optional(),
  response: Output.optional(),
});

const Line = z.object({
  key: z.string(),
  response: z.unknown().optional(),
  error: z.object({ code: z.number().optional(), message: z.string().optional() }).optional(),
});

export const geminiBatches: BatchApi = {
  price: 0.5,
  most: { requests: 200_000, bytes: 2 * GB },
  line: (key) => ({ before: `{"key":${JSON.stringify(key)},"request":`, after: "}" }),
  async check(target, limits) {
    await send(target, "GET", "/v1beta/batches?pageSize=1", limits);
  },
  async upload(target, { id, path }, limits) {
    const name = `files/vrrd-${id.replaceAll("-", "")}`;
    const file = await uploadFile(target, { path, name, mime: "application/jsonl" }, limits);
    return (await whenActive(target, file, limits)).name;
  },
  async create(target, { id, input }, limits) {
    const batch = { displayName: id, inputConfig: { fileName: input } };
    const path = `/v1beta/${modelPath(target.model)}:batchGenerateContent`;
    return readOperation(await send(target, "POST", path, limits, JSON.stringify({ batch })));
  },
  async find(target, id, limits) {
    let token = "";
    for (let page = 0; page < MOST_PAGES; page++) {
      const text = await send(target, "GET", `/v1beta/batches?pageSize=100${token}`, limits);
      const read = z
        .object({
          operations: z.array(Operation).default([]),
          nextPageToken: z.string().optional(),
        })
        .safeParse(jsonOrText(text));
      if (!read.success) throw unusable("not a list of batches");
      const { operations, nextPageToken } = read.data;
      const found = operations.find(({ metadata }) => metadata?.displayName === id);
      if (found !== undefined) return describe(found);
      if (!nextPageToken) return null;
      token = `&pageToken=${encodeURIComponent(nextPageToken)}`;
    }
    return null;
  },
  get: async (target, name, limits) =>
    readOperation(await send(target, "GET", `/v1beta/${name}`, limits)),
  async results(target, { results }, limits) {
    const lines: BatchResult[] = [];
    for (const name of results) {
      const path = `/download/v1beta/${name}:download?alt=media`;
      const text = await send(target, "GET", path, limits);
      lines.push(...readResultLines(text, readLine));
    }
    return lines;
  },
  async cancel(target, name, limits) {
    await send(target, "POST", `/v1beta/${name}:cancel`, limits, "{}");
  },
  removeFile: (target, name) => deleteFile(target, name),
};

async function send(
  target: Target,
  method: "POST" | "GET",
  path: string,
  limits: RequestLimits,
  body?: string,
): Promise<string> {
  const { text } = await requestOnce(method, `${target.baseUrl}${path}`, {
    headers: {
      "x-goog-api-key": target.key,
      ...target.headers,
      ...(body === undefined ? {} : { "content-type": "application/json" }),
    },
    ...(body === undefined ? {} : { body }),
    target,
    ...limits,
    refusal: readRefusal,
  });
  return text;
}

function readOperation(text: string): RemoteBatch {
  const read = Operation.safeParse(jsonOrText(text));
  if (!read.success) throw unusable("not a batch");
  return describe(read.data);
}

function describe({ name, metadata, error, response }: z.infer<typeof Operation>): RemoteBatch {
  const { successfulRequestCount = 0, failedRequestCount = 0 } = metadata?.batchStats ?? {};
  const file = response?.responsesFile ?? metadata?.output?.responsesFile;
  return {
    name,
    state: stateOf(metadata?.state ?? "", error?.code),
    why: error?.message ?? null,
    done: successfulRequestCount + failedRequestCount,
    results: file === undefined ? [] : [file],
  };
}

/** `BATCH_STATE_...`; older servers write `JOB_STATE_...`. */
function stateOf(given: string, code: number | undefined): RemoteBatch["state"] {
  const state = given.replace(/^(BATCH|JOB)_STATE_/, "");
  if (state === "SUCCEEDED" || state === "EXPIRED") return "ended";
  if (state === "CANCELLED") return "cancelled";
  if (state === "FAILED" || code !== undefined) return isExhausted(code) ? "full" : "failed";
  return "running";
}

/** `RESOURCE_EXHAUSTED`, as a status of gRPC or of HTTP. */
function isExhausted(code: number | undefined): boolean {
  return code === 8 || code === 429;
}

function readLine(text: string): BatchResult | null {
  const read = Line.safeParse(jsonOrText(text));
  if (!read.success) return null;
  const { key, response, error } = read.data;
  if (error === undefined)
    return { key, reply: { status: 200, body: JSON.stringify(response ?? {}) } };
  const status = HTTP_STATUS[error.code ?? 13] ?? 500;
  return { key, reply: { status, body: JSON.stringify({ error }) } };
}

/** Statuses of gRPC in results; a number that is a status of HTTP stays one. */
const HTTP_STATUS: Readonly<Record<number, number>> = {
  3: 400,
  5: 404,
  7: 403,
  8: 429,
  9: 400,
  14: 503,
  16: 401,
  ...Object.fromEntries([400, 401, 403, 404, 409, 422, 429, 500, 503].map((code) => [code, code])),
};
