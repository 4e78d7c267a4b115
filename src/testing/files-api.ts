import type { IncomingMessage, ServerResponse } from "node:http";

/* Gemini's Files API: resumable upload, get, delete. From its public API reference. */

/** A request of the Files API. */
export type FileVerb = "start" | "query" | "upload" | "finalize" | "get" | "delete";

/** An uploaded file. */
export interface UploadedFile {
  /** `files/...` */
  name: string;
  uri: string;
  mime: string;
  displayName: string;
  bytes: Buffer;
  deleted: boolean;
  /** Number of further polls for which it is `PROCESSING`. */
  processing: number;
  failed: boolean;
}

/** The server's Files API of Gemini, with the uploaded files. */
export interface ModelFiles {
  /** All finalized files, including deleted ones. */
  all: UploadedFile[];
  /** Requests, in order. */
  log: { verb: FileVerb; name: string }[];
  count(verb: FileVerb): number;
  /** Bytes of the file at a URI; undefined if there is no such file. */
  bytesAt(uri: string): Buffer | undefined;
  /** Number of polls for which each new file is `PROCESSING`. Default 0. */
  processing: number;
  /** Whether new files end as `FAILED`. */
  failing: boolean;
  /** Answers the next `times` calls of a verb with a status; 0 drops the connection, -1 never answers. */
  refuse(verb: FileVerb, status: number, times?: number): void;
  /** Finalizes the next upload, and drops the connection instead of answering. */
  loseFinalReply: boolean;
  /** Whether an upload is cancelled once a request of it is refused. */
  cancelling: boolean;
  handle(request: IncomingMessage, path: string, body: Buffer, response: ServerResponse): void;
}

interface Session {
  name: string;
  mime: string;
  displayName: string;
  chunks: Buffer[];
  status: "active" | "final" | "cancelled";
}

const LIFE_MS = 48 * 3600 * 1000;

export function isFilesPath(path: string): boolean {
  return /\/v1beta\/files(\/|$)/.test(path);
}

export function createModelFiles(origin: () => string): ModelFiles {
  const all: UploadedFile[] = [];
  const log: ModelFiles["log"] = [];
  const sessions = new Map<string, Session>();
  const refusals: { verb: FileVerb; status: number }[] = [];
  const alive = (name: string) => all.find((file) => file.name === name && !file.deleted);

  const json = (response: ServerResponse, status: number, body: unknown) =>
    response.writeHead(status, { "content-type": "application/json" }).end(JSON.stringify(body));
  const error = (response: ServerResponse, status: number, message: string) =>
    json(response, status, { error: { code: status, message, status: "SCRIPTED" } });

  function describe(file: UploadedFile) {
    const state = file.processing > 0 ? "PROCESSING" : file.failed ? "FAILED" : "ACTIVE";
    return {
      name: file.name,
      displayName: file.displayName,
      uri: file.uri,
      mimeType: file.mime,
      sizeBytes: String(file.bytes.length),
      expirationTime: new Date(Date.now() + LIFE_MS).toISOString(),
      state,
      ...(state === "FAILED" ? { error: { code: 3, message: "cannot be decoded" } } : {}),
    };
  }

  const files: ModelFiles = {
    all,
    log,
    processing: 0,
    failing: false,
    loseFinalReply: false,
    cancelling: false,
    count: (verb) => log.filter((entry) => entry.verb === verb).length,
    bytesAt: (uri) => all.find((file) => file.uri === uri && !file.deleted)?.bytes,
    refuse(verb, status, times = 1) {
      for (let i = 0; i < times; i++) refusals.push({ verb, status });
    },
    handle(request, path, body, response) {
      const header = (name: string) => String(request.headers[name] ?? "");
      const upload = new URL(request.url ?? "/", "http://loopback").searchParams.get("upload_id");
      const named = /\/v1beta\/(files\/[^/]+)$/.exec(path)?.[1] ?? "";
      const verb = verbOf(request, header("x-goog-upload-command"));
      const session = sessions.get(upload ?? "");
      const name = session?.name ?? named;
      log.push({ verb, name });
      const refused = refusals.findIndex((refusal) => refusal.verb === verb);
      if (refused >= 0) {
        const [refusal] = refusals.splice(refused, 1);
        if (files.cancelling && session !== undefined) session.status = "cancelled";
        if (refusal?.status === -1) return;
        if (refusal?.status === 0) response.socket?.destroy();
        else error(response, refusal?.status ?? 500, `scripted ${refusal?.status}`);
        return;
      }
      switch (verb) {
        case "start": {
          const { file = {} } = JSON.parse(body.toString() || "{}") as {
            file?: { name?: string; display_name?: string; displayName?: string };
          };
          const wanted = file.name ?? `files/made-${all.length + sessions.size}`;
          if (alive(wanted)) return error(response, 409, "already exists");
          const id = String(sessions.size + 1);
          sessions.set(id, {
            name: wanted,
            mime: header("x-goog-upload-header-content-type"),
            displayName: file.displayName ?? file.display_name ?? "",
            chunks: [],
            status: "active",
          });
          response.setHeader(
            "x-goog-upload-url",
            `${origin()}/v1/upload/v1beta/files?upload_id=${id}`,
          );
          response.setHeader("x-goog-upload-status", "active");
          return json(response, 200, {});
        }
        case "query":
        case "upload":
        case "finalize": {
          if (session === undefined) return error(response, 404, "no such upload");
          const received = session.chunks.reduce((sum, chunk) => sum + chunk.length, 0);
          if (verb === "query") {
            response.setHeader("x-goog-upload-status", session.status);
            response.setHeader("x-goog-upload-size-received", String(received));
            return json(response, 200, {});
          }
          if (session.status !== "active")
            return error(response, 400, "Upload has already been terminated.");
          if (Number(header("x-goog-upload-offset")) !== received)
            return error(response, 400, `wrong offset, ${received} bytes are here`);
          session.chunks.push(body);
          if (verb === "finalize") session.status = "final";
          response.setHeader("x-goog-upload-status", session.status);
          if (verb === "upload") return json(response, 200, {});
          const file: UploadedFile = {
            name: session.name,
            uri: `${origin()}/v1beta/${session.name}`,
            mime: session.mime,
            displayName: session.displayName,
            bytes: Buffer.concat(session.chunks),
            deleted: false,
            processing: files.processing,
            failed: files.failing,
          };
          all.push(file);
          if (files.loseFinalReply) {
            files.loseFinalReply = false;
            response.socket?.destroy();
            return;
          }
          return json(response, 200, { file: describe(file) });
        }
        case "get": {
          const file = alive(named);
          if (file === undefined) return error(response, 403, "no permission, or no such file");
          const described = describe(file);
          if (file.processing > 0) file.processing--;
          return json(response, 200, described);
        }
        case "delete": {
          const file = alive(named);
          if (file === undefined) return error(response, 403, "no permission, or no such file");
          file.deleted = true;
          return json(response, 200, {});
        }
      }
    },
  };
  return files;
}

function verbOf({ method }: IncomingMessage, command: string): FileVerb {
  if (method === "DELETE") return "delete";
  if (method === "GET") return "get";
  if (command.includes("finalize")) return "finalize";
  if (command === "start" || command === "query") return command;
  return "upload";
}
