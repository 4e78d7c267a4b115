import { open } from "node:fs/promises";
import { setTimeout as sleep } from "node:timers/promises";
import { z } from "zod";
import { Failure } from "../../../core/errors.ts";
import { AttemptError, unusable } from "../../attempt.ts";
import { jsonOrText } from "../../json.ts";
import { checkOrigin } from "../../model-fetch.ts";
import { requestOnce } from "../../post.ts";
import type { RemoteFileApi, RemoteFileState, Sending, Upload } from "../../remote-files.ts";
import { withRetry } from "../../retry.ts";
import type { Target } from "../../target.ts";
import { readRefusal } from "./client.ts";
import { geminiMime } from "./media.ts";

/*
 * Gemini's Files API: resumable upload in pieces, state, deletion. A file is private to the key's project and expires
 * after 48 hours.
 */

/** Bytes of one piece; the protocol wants multiples of 256 KiB. Memory never holds more of a file. */
const PIECE = 16 * 2 ** 20;

/** How long Gemini may take to prepare a file, and the pauses between checks. */
export const PREPARING = { most_ms: 900_000, first_ms: 500, longest_ms: 10_000 };

const FILE_LIFE_MS = 48 * 3_600_000;

const DELETE_TIMEOUT_S = 15;

const FileReply = z.object({
  name: z.string(),
  uri: z.string().default(""),
  state: z.string().default("ACTIVE"),
  expirationTime: z.string().optional(),
  error: z.object({ message: z.string() }).partial().optional(),
});

/** A slower connection counts as broken. */
const SLOWEST_BYTES_PER_S = 64 * 2 ** 10;

type RequestLimits = Pick<Sending, "signal" | "timeout_s">;

/** Uploads a file, piece by piece; after a failure it continues from what the server has. Throws as model calls do. */
export async function uploadFile(
  target: Target,
  { path, name, mime }: Upload,
  sending: Sending,
): Promise<RemoteFileState> {
  const file = await open(path);
  try {
    const { size } = await file.stat();
    let session: string | null = null;
    return await withRetries(target, sending, async (limits) => {
      let offset = 0;
      if (session !== null) {
        const { status, received } = await queryUpload(target, session, limits);
        // The upload is complete, but the reply to its last piece was lost.
        const complete = status === "final" ? await fileNamed(target, name, limits) : null;
        if (complete !== null) {
          sending.onSent?.(size, size);
          return complete;
        }
        if (status === "final" || status === "cancelled") session = null;
        else offset = received;
      }
      session ??= await startUpload(target, { name, mime: geminiMime(mime), size }, limits);
      for (;;) {
        const piece = new Uint8Array(Math.min(PIECE, size - offset));
        const { bytesRead } = await file.read(piece, 0, piece.length, offset);
        if (bytesRead === 0 && offset < size)
          throw new Failure("file-unreadable", `${path} became shorter while it was uploaded.`, {
            path,
          });
        const isLast = offset + bytesRead >= size;
        const headers = {
          "x-goog-upload-offset": String(offset),
          "x-goog-upload-command": isLast ? "upload, finalize" : "upload",
        };
        const body = piece.subarray(0, bytesRead);
        const reply = await send(target, "POST", session, { headers, body, ...limits });
        offset += bytesRead;
        sending.onSent?.(offset, size);
        if (isLast) return readFile((jsonOrText(reply.text) as { file?: unknown })?.file);
      }
    });
  } finally {
    await file.close();
  }
}

async function startUpload(
  target: Target,
  { name, mime, size }: { name: string; mime: string; size: number },
  limits: RequestLimits,
): Promise<string> {
  const { headers } = await send(target, "POST", `${target.baseUrl}/upload/v1beta/files`, {
    headers: {
      "content-type": "application/json",
      "x-goog-upload-protocol": "resumable",
      "x-goog-upload-command": "start",
      "x-goog-upload-header-content-length": String(size),
      "x-goog-upload-header-content-type": mime,
    },
    body: JSON.stringify({ file: { name, displayName: "video-rrd" } }),
    ...limits,
  });
  const session = headers.get("x-goog-upload-url");
  const address = URL.parse(session ?? "");
  if (session === null || address === null) throw unusable("not the start of an upload");
  if (!isGoogle(address)) checkOrigin(new URL(target.baseUrl), address, target);
  return session;
}

/** Whether an address of an upload is Google's, also behind a gateway. */
function isGoogle({ protocol, hostname }: URL): boolean {
  return protocol === "https:" && hostname.endsWith(".googleapis.com");
}

/** The state of a broken upload (`active`, `final`, `cancelled`), and the bytes that arrived. */
async function queryUpload(
  target: Target,
  session: string,
  limits: RequestLimits,
): Promise<{ status: string; received: number }> {
  const { headers } = await send(target, "POST", session, {
    headers: { "x-goog-upload-command": "query" },
    ...limits,
  });
  return {
    status: headers.get("x-goog-upload-status") ?? "active",
    received: Number(headers.get("x-goog-upload-size-received") ?? 0),
  };
}

/** The provider's state of a file; null if it has no file of that name. */
export async function getFile(
  target: Target,
  name: string,
  sending: Sending,
): Promise<RemoteFileState | null> {
  return withRetries(target, sending, (limits) => fileNamed(target, name, limits));
}

/** `getFile` in one request. */
async function fileNamed(
  target: Target,
  name: string,
  limits: RequestLimits,
): Promise<RemoteFileState | null> {
  try {
    const { text } = await send(target, "GET", `${target.baseUrl}/v1beta/${name}`, limits);
    return readFile(jsonOrText(text));
  } catch (error) {
    if (isMissing(error)) return null;
    throw error;
  }
}

/** Waits until a file can be used. Throws `Failure` `model-rejected` if it cannot, or not in time. */
export async function whenActive(
  target: Target,
  file: RemoteFileState,
  sending: Sending,
): Promise<RemoteFileState> {
  const until = performance.now() + PREPARING.most_ms;
  let state: RemoteFileState | null = file;
  for (let wait = PREPARING.first_ms; state?.state === "preparing"; wait *= 1.5) {
    if (performance.now() > until)
      throw rejected(target, file, `it was not ready after ${PREPARING.most_ms / 60_000} minutes`);
    await sleep(Math.min(wait, PREPARING.longest_ms), undefined, { signal: sending.signal });
    state = await getFile(target, file.name, sending);
  }
  if (state?.state === "ready") return state;
  throw rejected(target, file, state?.why ?? `its state is ${state?.state ?? "gone"}`);
}

function rejected(target: Target, { name }: RemoteFileState, why: string): Failure {
  return new Failure(
    "model-rejected",
    `${target.name} cannot use the uploaded file ${name}: ${why}. Convert the video to MP4 (H.264), or use \`--media frames\`.`,
    { model: target.name, name },
  );
}

/** Deletes a file; a missing file is not an error. Throws `AttemptError`. */
export async function deleteFile(target: Target, name: string): Promise<void> {
  try {
    await send(target, "DELETE", `${target.baseUrl}/v1beta/${name}`, {
      timeout_s: DELETE_TIMEOUT_S,
      signal: new AbortController().signal,
    });
  } catch (error) {
    if (!isMissing(error)) throw error;
  }
}

/** Gemini answers 403 for a missing file, as for a file of another account. */
function isMissing(error: unknown): boolean {
  const status =
    error instanceof AttemptError && error.trouble.kind === "status"
      ? error.trouble.status
      : error instanceof Failure
        ? error.facts.status
        : null;
  return status === 403 || status === 404;
}

function send(
  target: Target,
  method: "POST" | "GET" | "DELETE",
  url: string,
  {
    headers = {},
    timeout_s,
    ...rest
  }: RequestLimits & {
    headers?: Record<string, string>;
    body?: string | Uint8Array<ArrayBuffer>;
  },
) {
  // The address of an upload is itself a secret, and may be on another host of Google.
  const own = url.startsWith(`${target.baseUrl}/`) && !url.includes("upload_id=");
  return requestOnce(method, url, {
    ...rest,
    timeout_s: timeout_s + Math.ceil((rest.body?.length ?? 0) / SLOWEST_BYTES_PER_S),
    headers: own ? { "x-goog-api-key": target.key, ...target.headers, ...headers } : headers,
    target,
    refusal: readRefusal,
  });
}

function readFile(body: unknown): RemoteFileState {
  const read = FileReply.safeParse(body);
  if (!read.success) throw unusable("not a file of the Files API");
  const { name, uri, state, error, expirationTime } = read.data;
  const why = error?.message ?? (state in STATES ? undefined : `its state is ${state}`);
  return {
    name,
    uri,
    state: STATES[state] ?? "broken",
    ...(why === undefined ? {} : { why }),
    expires_at: Date.parse(expirationTime ?? "") || null,
  };
}

const STATES: Readonly<Record<string, RemoteFileState["state"]>> = {
  PROCESSING: "preparing",
  ACTIVE: "ready",
  FAILED: "broken",
};

/** The Files API as the call path uses it. */
export const geminiFiles: RemoteFileApi = {
  life_ms: FILE_LIFE_MS,
  nameOf: (id) => `files/${id}`,
  upload: uploadFile,
  get: getFile,
  whenReady: whenActive,
  delete: deleteFile,
};

/** Retries like a model call. */
async function withRetries<T>(
  target: Target,
  { signal, timeout_s, patience }: Sending,
  work: (limits: RequestLimits) => Promise<T>,
): Promise<T> {
  const attempt = async () => ({
    text: "",
    finish: "stop" as const,
    toolCalls: [],
    tokens: null,
    value: await work({ signal, timeout_s }),
  });
  return (await withRetry(attempt, target, signal, { patience })).value;
}
