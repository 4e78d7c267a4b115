import { createHash } from "node:crypto";
import { once } from "node:events";
import { createServer, type IncomingMessage, type ServerResponse } from "node:http";
import type { AddressInfo } from "node:net";
import { setTimeout as sleep } from "node:timers/promises";

/** What happens to a request: an error before or after it took effect, a lost connection, or a slow or cut reply. */
export type Fault =
  | { kind: "status"; status: number; code: string }
  | { kind: "lost"; after: boolean }
  | { kind: "cut" }
  | { kind: "slow"; ms: number };

export interface SeenS3Request {
  method: string;
  /** Key, or an empty text for the bucket. */
  key: string;
  query: URLSearchParams;
  headers: IncomingMessage["headers"];
  body: Buffer;
  /** Access key of the signature; null without one. */
  signed_by: string | null;
  /** Requests in progress, with this one. */
  at_once: number;
}

interface StoredObject {
  body: Buffer;
  modified: Date;
}

export interface S3Server {
  url: string;
  objects: Map<string, StoredObject>;
  /** Parts of uploads that are neither completed nor aborted. */
  uploads: Map<string, { key: string; parts: Map<number, Buffer>; begun: Date }>;
  seen: SeenS3Request[];
  /** Sets the fault of each later request; undefined: none. */
  fail(fault: (request: SeenS3Request) => Fault | undefined): void;
  /** Removes objects, requests and faults. */
  reset(): void;
  close(): Promise<void>;
}

interface Reply {
  status: number;
  headers?: Record<string, string>;
  body?: Buffer | string;
}

const xml = (inside: string): string => `<?xml version="1.0" encoding="UTF-8"?>\n${inside}`;
const error = (status: number, code: string): Reply => ({
  status,
  body: xml(`<Error><Code>${code}</Code><Message>${code}</Message></Error>`),
});
const etag = (body: Buffer) => `"${createHash("md5").update(body).digest("hex")}"`;

/** A server with the part of the interface of S3 that stores use: path style, one bucket, signatures are not checked. */
export async function startS3Server(options: { bucket: string; page?: number }): Promise<S3Server> {
  const objects: S3Server["objects"] = new Map();
  const uploads: S3Server["uploads"] = new Map();
  const seen: SeenS3Request[] = [];
  let fault: (request: SeenS3Request) => Fault | undefined = () => undefined;
  let uploadCount = 0;
  let running = 0;

  function list(query: URLSearchParams): Reply {
    const prefix = query.get("prefix") ?? "";
    const after = query.get("continuation-token") ?? "";
    const keys = [...objects.keys()].filter((key) => key.startsWith(prefix) && key > after).sort();
    const page = keys.slice(0, options.page ?? 1000);
    const more = keys.length > page.length;
    const contents = page.map((key) => {
      const { body, modified } = objects.get(key) as StoredObject;
      return `<Contents><Key>${key}</Key><LastModified>${modified.toISOString()}</LastModified><Size>${body.length}</Size></Contents>`;
    });
    const next = more ? `<NextContinuationToken>${page.at(-1)}</NextContinuationToken>` : "";
    return {
      status: 200,
      body: xml(
        `<ListBucketResult><IsTruncated>${more}</IsTruncated>${next}${contents.join("")}</ListBucketResult>`,
      ),
    };
  }

  function listUploads(prefix: string): Reply {
    const found = [...uploads].filter(([, { key }]) => key.startsWith(prefix));
    const items = found.map(
      ([id, { key, begun }]) =>
        `<Upload><Key>${key}</Key><UploadId>${id}</UploadId><Initiated>${begun.toISOString()}</Initiated></Upload>`,
    );
    const inside = `<IsTruncated>false</IsTruncated>${items.join("")}`;
    return {
      status: 200,
      body: xml(`<ListMultipartUploadsResult>${inside}</ListMultipartUploadsResult>`),
    };
  }

  function get({ key, headers }: SeenS3Request): Reply {
    const found = objects.get(key);
    if (found === undefined) return error(404, "NoSuchKey");
    const { body } = found;
    const common = { etag: etag(body), "last-modified": found.modified.toUTCString() };
    const [, first, last] = /^bytes=(\d+)-(\d+)$/.exec(headers.range ?? "") ?? [];
    if (first === undefined) return { status: 200, headers: common, body };
    if (Number(first) >= body.length) return error(416, "InvalidRange");
    const part = body.subarray(Number(first), Number(last) + 1);
    const range = `bytes ${first}-${Number(first) + part.length - 1}/${body.length}`;
    return { status: 206, headers: { ...common, "content-range": range }, body: part };
  }

  function complete(key: string, id: string, request: string): Reply {
    const upload = uploads.get(id);
    if (upload === undefined) return error(404, "NoSuchUpload");
    const numbers = [...request.matchAll(/<PartNumber>(\d+)<\/PartNumber>/g)].map(([, n]) =>
      Number(n),
    );
    const parts = numbers.map((number) => upload.parts.get(number));
    if (parts.some((part) => part === undefined)) return error(400, "InvalidPart");
    objects.set(key, { body: Buffer.concat(parts as Buffer[]), modified: new Date() });
    uploads.delete(id);
    const inside = `<Key>${key}</Key><ETag>"whole"</ETag>`;
    return {
      status: 200,
      body: xml(`<CompleteMultipartUploadResult>${inside}</CompleteMultipartUploadResult>`),
    };
  }

  function handle(request: SeenS3Request): Reply {
    const { method, key, query, body } = request;
    const upload = query.get("uploadId");
    if (key === "") {
      if (query.get("list-type") === "2") return list(query);
      return query.has("uploads")
        ? listUploads(query.get("prefix") ?? "")
        : error(501, "NotImplemented");
    }
    switch (method) {
      case "GET":
      case "HEAD":
        return get(request);
      case "PUT": {
        if (upload === null) objects.set(key, { body, modified: new Date() });
        else if (!uploads.has(upload)) return error(404, "NoSuchUpload");
        else uploads.get(upload)?.parts.set(Number(query.get("partNumber")), body);
        return { status: 200, headers: { etag: etag(body) } };
      }
      case "POST": {
        if (upload !== null) return complete(key, upload, body.toString());
        const id = `upload-${++uploadCount}`;
        uploads.set(id, { key, parts: new Map(), begun: new Date() });
        const inside = `<Key>${key}</Key><UploadId>${id}</UploadId>`;
        return {
          status: 200,
          body: xml(`<InitiateMultipartUploadResult>${inside}</InitiateMultipartUploadResult>`),
        };
      }
      case "DELETE":
        if (upload === null) objects.delete(key);
        else if (!uploads.delete(upload)) return error(404, "NoSuchUpload");
        return { status: 204 };
    }
    return error(405, "MethodNotAllowed");
  }

  async function answer(incoming: IncomingMessage, response: ServerResponse): Promise<void> {
    const chunks: Buffer[] = [];
    for await (const chunk of incoming) chunks.push(chunk as Buffer);
    const { pathname, searchParams } = new URL(incoming.url ?? "/", "http://s3");
    const [, bucket = "", ...rest] = decodeURIComponent(pathname).split("/");
    const request: SeenS3Request = {
      method: incoming.method ?? "",
      key: rest.join("/"),
      query: searchParams,
      headers: incoming.headers,
      body: Buffer.concat(chunks),
      signed_by: /Credential=([^/]+)\//.exec(incoming.headers.authorization ?? "")?.[1] ?? null,
      at_once: running,
    };
    seen.push(request);
    const what = fault(request);
    if (what?.kind === "slow") await sleep(what.ms);
    if (what?.kind === "lost" && !what.after) return void incoming.socket.destroy();
    const reply =
      what?.kind === "status"
        ? error(what.status, what.code)
        : request.signed_by === null
          ? error(403, "AccessDenied")
          : bucket !== options.bucket
            ? error(404, "NoSuchBucket")
            : handle(request);
    if (what?.kind === "lost") return void incoming.socket.destroy();
    const body = Buffer.from(reply.body ?? "");
    response.writeHead(reply.status, { ...reply.headers, "content-length": body.length });
    if (what?.kind === "cut" && body.length > 1) {
      response.write(body.subarray(0, body.length >> 1), () => incoming.socket.destroy());
      return;
    }
    response.end(request.method === "HEAD" ? undefined : body);
  }

  const server = createServer((incoming, response) => {
    running++;
    answer(incoming, response)
      .catch(() => incoming.socket.destroy())
      .finally(() => running--);
  });
  server.listen(0, "127.0.0.1");
  await once(server, "listening");
  const { port } = server.address() as AddressInfo;
  return {
    url: `http://127.0.0.1:${port}`,
    objects,
    uploads,
    seen,
    fail(next) {
      fault = next;
    },
    reset() {
      for (const store of [objects, uploads]) store.clear();
      seen.length = 0;
      fault = () => undefined;
    },
    async close() {
      server.closeAllConnections();
      await new Promise((resolve) => server.close(resolve));
    },
  };
}
