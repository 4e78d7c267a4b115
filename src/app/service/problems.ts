import { STATUS_CODES } from "node:http";
import { HTTPException } from "hono/http-exception";
import type { ContentfulStatusCode } from "hono/utils/http-status";
import { standard } from "../../../graphs/define-strategy.ts";
import { type FailureKind, isDiskFailure, isFailure, toFailure } from "../../core/errors.ts";
import { meaningOf } from "../../core/failure-kinds.ts";
import type { Problem } from "./api.ts";

/** Additional members of a problem, and headers of its response. */
interface Extra {
  offset?: number | undefined;
  current?: unknown;
  /** Of a table: what is wrong, row by row. */
  errors?: readonly { row: string; column: string | null; detail: string }[];
  headers?: Record<string, string>;
}

/**
 * An error to throw that becomes an RFC 9457 problem response. `detail` states in one sentence what is wrong and what to do.
 *
 * @example
 * throw httpProblem(409, "not-answered", "The question has no answer yet. Wait for it to end.");
 */
export function httpProblem(
  status: ContentfulStatusCode,
  kind: string,
  detail: string,
  extra: Extra = {},
): HTTPException {
  return new HTTPException(status, { message: detail, cause: { kind, ...extra } });
}

export function notFound(what: string): HTTPException {
  return httpProblem(404, "not-found", `There is no ${what.replace(/^an? /, "")} with this id.`);
}

/** Messages for callers that replace the message of a failure, which addresses the operator. */
const CALLER_MESSAGES: Partial<Record<FailureKind, string>> = {
  "disk-full": "The disk is full. Remove a video and try again.",
  "disk-unwritable":
    "The disk is read-only at the moment. Stored data can be read. Try again later.",
  "store-unreachable": "The service cannot reach its storage at the moment. Try again later.",
};

/** The message of a failure as a caller sees it. */
export function messageForCaller({
  kind,
  message,
  facts = {},
}: {
  kind: string;
  message: string;
  facts?: Readonly<Record<string, unknown>>;
}): string {
  // A caller has no flags to pass.
  if (kind === "unknown-model" && typeof facts.role === "string")
    return `No model configured for the ${facts.role}. Name one that the service allows in \`settings.model\` (on the page: Model), for example openai:gpt-4.1, or choose a strategy without a model, such as ${standard("without-model").name}.`;
  return CALLER_MESSAGES[kind as FailureKind] ?? message;
}

export interface ProblemResponse {
  status: ContentfulStatusCode;
  headers: Record<string, string>;
  problem: Problem;
  /** Whether the service itself failed, so that the error is logged. */
  internal: boolean;
}

/** Converts any thrown value to an RFC 9457 problem, without stack traces. */
export function toProblemResponse(error: unknown, request: string): ProblemResponse {
  if (error instanceof HTTPException) {
    if (!isOwn(error.cause)) {
      const kind = (STATUS_CODES[error.status] ?? "error").toLowerCase().replaceAll(" ", "-");
      return makeProblem(error.status, kind, defaultDetail(error.status), request);
    }
    const { kind, ...extra } = error.cause;
    return makeProblem(error.status, kind, error.message, request, extra);
  }
  // A disk error can occur in any system call.
  const known = toFailure(error, "damaged", "answering a request");
  const failure = isFailure(error) || isDiskFailure(known) ? known : null;
  const http = failure === null ? null : meaningOf(failure.kind).http;
  if (failure !== null && http !== null) {
    const detail = messageForCaller(failure);
    return {
      ...makeProblem(http, failure.kind, detail, request),
      internal: http >= 500 && http !== 507,
    };
  }
  const detail = `Internal error. The log of the service has the details under ${request}.`;
  return { ...makeProblem(500, "internal", detail, request), internal: true };
}

function makeProblem(
  status: ContentfulStatusCode,
  kind: string,
  detail: string,
  request: string,
  { headers = {}, ...members }: Extra = {},
): ProblemResponse {
  const title = STATUS_CODES[status] ?? "Error";
  const instance = `urn:request:${request}`;
  const problem = { type: "about:blank", title, status, detail, instance, kind, ...members };
  return { status, headers, problem, internal: false };
}

/** Whether an exception is one of `httpProblem`; those of Hono have other causes, and messages that name no remedy. */
function isOwn(cause: unknown): cause is Extra & { kind: string } {
  return typeof cause === "object" && cause !== null && "kind" in cause;
}

function defaultDetail(status: number): string {
  return status === 400
    ? "Invalid request body: it is not valid JSON."
    : `${STATUS_CODES[status] ?? "Error"}.`;
}
