import { STATUS_CODES } from "node:http";
import { HTTPException } from "hono/http-exception";
import type { ContentfulStatusCode } from "hono/utils/http-status";
import { type FailureKind, isFailure } from "../../core/errors.ts";
import type { Problem } from "./api.ts";

/** Facts that may stand in a problem beside its own members, and headers that go with it. */
interface Extra {
  offset?: number;
  headers?: Record<string, string>;
}

/** A refusal to be thrown; `detail` is one sentence that names what was expected and what came. */
export function refuse(
  status: ContentfulStatusCode,
  kind: string,
  detail: string,
  extra: Extra = {},
): HTTPException {
  return new HTTPException(status, { message: detail, cause: { kind, ...extra } });
}

export function notFound(what: string): HTTPException {
  return refuse(404, "not-found", `Expected ${what} of that name, but there is none.`);
}

const STATUS: Partial<Record<FailureKind, ContentfulStatusCode>> = {
  "wrong-usage": 422,
  "wrong-setting": 422,
  "unknown-model": 422,
  "missing-key": 422,
  "data-malformed": 422,
  "not-media": 415,
  "no-video": 415,
  "no-audio": 415,
  damaged: 415,
  "media-limit": 415,
  "not-found": 404,
  cancelled: 409,
  "limit-met": 429,
  "store-busy": 503,
  "ffmpeg-missing": 503,
  "disk-full": 507,
};

const FULL = "Expected room on the disk, but it is full: remove a video and try again.";

export interface Refusal {
  status: ContentfulStatusCode;
  headers: Record<string, string>;
  problem: Problem;
  /** Something of ours is wrong: to be logged with its error. */
  ours: boolean;
}

/** Anything thrown as an RFC 9457 problem. What is not meant for the caller is not told: paths, stack traces. */
export function refusalOf(error: unknown, request: string): Refusal {
  if (error instanceof HTTPException) {
    const { kind, offset, headers } = causeOf(error);
    const said = error.message || sentenceOf(error.status);
    return refusal(error.status, kind, said, request, { offset, headers });
  }
  if (isFailure(error)) {
    const status = STATUS[error.kind];
    if (error.kind === "disk-full") return refusal(507, error.kind, FULL, request);
    if (status !== undefined && status < 500)
      return refusal(status, error.kind, error.message, request);
    if (status !== undefined)
      return { ...refusal(status, error.kind, error.message, request), ours: true };
  }
  const detail = `Something went wrong here; the log of the service has it under ${request}.`;
  return { ...refusal(500, "internal", detail, request), ours: true };
}

function refusal(
  status: ContentfulStatusCode,
  kind: string,
  detail: string,
  request: string,
  { offset, headers = {} }: Extra = {},
): Refusal {
  const title = STATUS_CODES[status] ?? "Error";
  const instance = `urn:request:${request}`;
  const problem = { type: "about:blank", title, status, detail, instance, kind };
  return {
    status,
    headers,
    problem: offset === undefined ? problem : { ...problem, offset },
    ours: false,
  };
}

function causeOf({ cause, status }: HTTPException): Extra & { kind: string } {
  if (typeof cause === "object" && cause !== null && "kind" in cause)
    return cause as Extra & { kind: string };
  return { kind: (STATUS_CODES[status] ?? "error").toLowerCase().replaceAll(" ", "-") };
}

function sentenceOf(status: number): string {
  return status === 400
    ? "Expected a body that is JSON, got something else."
    : `${STATUS_CODES[status] ?? "Refused"}.`;
}
