import { STATUS_CODES } from "node:http";
import { HTTPException } from "hono/http-exception";
import type { ContentfulStatusCode } from "hono/utils/http-status";
import { type FailureKind, isDiskFailure, isFailure, toFailure } from "../../core/errors.ts";
import { meaningOf } from "../../core/failure-kinds.ts";
import type { Problem } from "./api.ts";

/** Further members of a problem, and headers of its response. */
interface Extra {
  offset?: number;
  headers?: Record<string, string>;
}

/** A refusal to be thrown; `detail` says in one sentence what is wrong and what to do. */
export function refuse(
  status: ContentfulStatusCode,
  kind: string,
  detail: string,
  extra: Extra = {},
): HTTPException {
  return new HTTPException(status, { message: detail, cause: { kind, ...extra } });
}

export function notFound(what: string): HTTPException {
  return refuse(404, "not-found", `There is no ${what.replace(/^an? /, "")} with this id.`);
}

/** Told in place of the failure's own words, which are for the operator. */
const SAID: Partial<Record<FailureKind, string>> = {
  "disk-full": "The disk is full: remove a video and try again.",
  "disk-unwritable":
    "The disk is read-only at the moment: what is there can be read; try again later.",
};

export interface Refusal {
  status: ContentfulStatusCode;
  headers: Record<string, string>;
  problem: Problem;
  /** The service itself failed: the error is logged. */
  ours: boolean;
}

/** Anything thrown as an RFC 9457 problem. Paths and stack traces are left out. */
export function refusalOf(error: unknown, request: string): Refusal {
  if (error instanceof HTTPException) {
    const { kind, offset, headers } = causeOf(error);
    const said = error.message || sentenceOf(error.status);
    return refusal(error.status, kind, said, request, { offset, headers });
  }
  // A disk shows itself in any call of the system.
  const known = toFailure(error, "damaged", "answering a request");
  const failure = isFailure(error) || isDiskFailure(known) ? known : null;
  const http = failure === null ? null : meaningOf(failure.kind).http;
  if (failure !== null && http !== null) {
    const said = SAID[failure.kind] ?? failure.message;
    return { ...refusal(http, failure.kind, said, request), ours: http >= 500 && http !== 507 };
  }
  const detail = `Internal error. The log of the service has the details under ${request}.`;
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
    ? "Invalid request body: it is not JSON."
    : `${STATUS_CODES[status] ?? "Refused"}.`;
}
