import type { Client as Api } from "openapi-fetch";
import type { components, paths } from "./api-types.ts";
import { isOutage, pause, retry } from "./outage.ts";
import { ApiProblem, dataOf } from "./problem.ts";

type Upload = components["schemas"]["Upload"];
type Send = (path: string, init: RequestInit) => Promise<Response>;

/** How to upload a file. */
export interface UploadOptions {
  /** The name that the video gets. */
  name: string;
  /** Id of an unfinished upload of the same file, to continue it. */
  resume?: string;
  /** Called with the bytes that arrived, and with the id of the upload, after each part. */
  onProgress?: (progress: { id: string; sent: number; size: number }) => void;
  /** Stops the upload, which can be resumed. */
  signal?: AbortSignal;
}

const PART_BYTES = 8 * 2 ** 20;
/** How often in a row a request may fail. */
const TRIES = 5;
/** Time between two looks at an upload that the service inspects. */
const LOOK_MS = 1000;

/**
 * Sends a file in parts. After a failed part, the service is asked where to continue. If it has all parts, but the
 * connection that waits for its decision is lost, it is asked until it has decided.
 */
export async function uploadFile(
  api: Api<paths>,
  send: Send,
  file: Blob,
  { name, resume, onProgress, signal }: UploadOptions,
): Promise<components["schemas"]["Video"]> {
  let upload =
    resume === undefined
      ? await begin(api, name, file.size, signal)
      : await resumed(api, resume, file);
  let failed = 0;
  while (upload.video === null) {
    signal?.throwIfAborted();
    try {
      upload =
        upload.offset < upload.size
          ? await sendPart(send, upload, file, signal)
          : await decided(api, upload);
      failed = 0;
      onProgress?.({ id: upload.id, sent: upload.offset, size: upload.size });
    } catch (error) {
      if (signal?.aborted || !mayContinue(error) || ++failed >= TRIES) throw error;
      await pause(200 * 2 ** failed, signal);
      upload = await current(api, upload.id).catch((still: unknown) => {
        if (mayContinue(still)) return upload;
        throw still;
      });
    }
  }
  return upload.video;
}

async function begin(
  api: Api<paths>,
  name: string,
  size: number,
  signal: AbortSignal | undefined,
): Promise<Upload> {
  // One key for all tries: an upload whose response was lost is not begun twice.
  const params = { header: { "idempotency-key": crypto.randomUUID() } };
  return retry(
    async () => dataOf(await api.POST("/api/v1/uploads", { params, body: { name, size } })),
    { tries: TRIES, signal },
  );
}

/** Throws an error if the upload cannot be of this file: the parts of two files would be joined. */
async function resumed(api: Api<paths>, id: string, file: Blob): Promise<Upload> {
  const upload = await current(api, id);
  if (upload.size === file.size) return upload;
  throw new Error(
    `Cannot continue the upload ${id}: it is of a file of ${upload.size} bytes, and this file has ${file.size}. Give the same file, or upload without \`resume\`.`,
  );
}

async function current(api: Api<paths>, id: string): Promise<Upload> {
  return dataOf(await api.GET("/api/v1/uploads/{id}", { params: { path: { id } } }));
}

/** An upload of which the service has all parts, after a moment. */
async function decided(api: Api<paths>, { id, size }: Upload): Promise<Upload> {
  await new Promise((done) => setTimeout(done, LOOK_MS));
  try {
    return await current(api, id);
  } catch (error) {
    if (!(error instanceof ApiProblem) || error.status !== 404) throw error;
    const detail = `The service received all ${size} bytes and refused the file: it is not a video or a sound that can be read.`;
    throw new ApiProblem({ ...error.problem, detail });
  }
}

async function sendPart(
  send: Send,
  { id, offset, size }: Upload,
  file: Blob,
  signal: AbortSignal | undefined,
): Promise<Upload> {
  const part = file.slice(offset, Math.min(offset + PART_BYTES, size));
  const response = await send(`/api/v1/uploads/${encodeURIComponent(id)}`, {
    method: "PATCH",
    headers: {
      "content-type": "application/octet-stream",
      "content-range": `bytes ${offset}-${offset + part.size - 1}/${size}`,
    },
    body: part,
    ...(signal === undefined ? {} : { signal }),
  });
  if (!response.ok) throw await ApiProblem.of(response);
  return (await response.json()) as Upload;
}

/** Another offset than expected, or an outage; anything else is a refusal. */
function mayContinue(error: unknown): boolean {
  return isOutage(error) || (error instanceof ApiProblem && error.status === 409);
}
