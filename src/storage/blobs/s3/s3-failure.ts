import { Failure, oneLine, systemCode } from "../../../core/errors.ts";

/** An attempt that took longer than it may. */
export class SlowRequest extends Error {}

/** Errors of a server that may succeed when sent again, in addition to those with a status of 500 or above. */
const PASSING = new Set([
  "SlowDown",
  "RequestTimeout",
  "Throttling",
  "ThrottlingException",
  "TooManyRequestsException",
  "RequestTimeTooSkewed",
  "OperationAborted",
]);

/** Errors of a connection. A wrong name or port has one of the last two, and is worth a few attempts only. */
const CONNECTION = new Set([
  "ECONNRESET",
  "EPIPE",
  "ETIMEDOUT",
  "EAI_AGAIN",
  "ECONNREFUSED",
  "ENOTFOUND",
  "EHOSTUNREACH",
  "ERR_STREAM_PREMATURE_CLOSE",
]);

/** Codes for which a key or a session is refused. */
const REFUSED = new Set([
  "AccessDenied",
  "InvalidAccessKeyId",
  "SignatureDoesNotMatch",
  "ExpiredToken",
  "InvalidToken",
  "AllAccessDisabled",
]);

/** Whether the same request may succeed later. */
export function isPassing(error: unknown): boolean {
  if (error instanceof SlowRequest) return true;
  const { name, status } = read(error);
  if (PASSING.has(name)) return name !== "RequestTimeTooSkewed";
  if (status !== undefined) return status >= 500 || status === 429 || status === 408;
  return CONNECTION.has(codeOf(error)) || name === "TimeoutError" || name === "IncompleteBody";
}

/** Whether the server says that a key does not exist. */
export function isMissing(error: unknown): boolean {
  const { name, status } = read(error);
  return name === "NoSuchKey" || name === "NotFound" || (status === 404 && name !== "NoSuchBucket");
}

/** Whether the server has the upload no more: it was completed or aborted. */
export function isEndedUpload(error: unknown): boolean {
  return read(error).name === "NoSuchUpload";
}

/** Whether a range is outside of the object, as every range of an empty one is. */
export function isOutside(error: unknown): boolean {
  const { name, status } = read(error);
  return name === "InvalidRange" || status === 416;
}

/** Where requests go, for messages. */
export interface Destination {
  bucket: string;
  /** `s3://bucket/prefix`. */
  shown: string;
  /** Null: the address of AWS. */
  endpoint: string | null;
}

/** Says what went wrong with a bucket, and what to do. Shows neither credentials nor the words of the server. */
export function s3Failure(error: unknown, at: Destination, doing: string): Failure {
  if (error instanceof Failure) return error;
  const { name, status } = read(error);
  const server = at.endpoint ?? "AWS";
  const make = (kind: ConstructorParameters<typeof Failure>[0], message: string) =>
    new Failure(
      kind,
      message,
      { place: at.shown, endpoint: at.endpoint, code: name, status, doing },
      { cause: error },
    );
  if (name === "CredentialsProviderError")
    return make(
      "store-unreachable",
      `No credentials for ${at.shown}. Set AWS_ACCESS_KEY_ID and AWS_SECRET_ACCESS_KEY, or AWS_PROFILE.`,
    );
  if (name === "NoSuchBucket")
    return make(
      "store-unreachable",
      `The bucket ${at.bucket} does not exist at ${server}. Create it, or correct --blobs or --blobs-endpoint.`,
    );
  if (/region/i.test(String(error)) && status === undefined)
    return make(
      "store-unreachable",
      `No region for ${at.shown}. Set AWS_REGION to that of the bucket.`,
    );
  if (name === "PermanentRedirect" || name === "AuthorizationHeaderMalformed" || status === 301)
    return make(
      "store-unreachable",
      `The bucket ${at.bucket} is in another region or at another endpoint. Set AWS_REGION, or correct --blobs-endpoint.`,
    );
  if (name === "RequestTimeTooSkewed")
    return make(
      "store-unreachable",
      `${server} refuses the time of this machine, which differs by more than its limit. Set the clock.`,
    );
  if (REFUSED.has(name) || status === 401 || status === 403)
    return make(
      "store-unreachable",
      `${server} refuses the credentials for ${at.shown} (${oneLine(name, 60)}) while ${doing}. Check the key, and that it may list, read, write and delete there.`,
    );
  if (status === 507 || name === "QuotaExceeded" || name === "XMinioStorageFull")
    return make(
      "disk-full",
      `${at.shown} is full: ${doing} failed. Free some space and run again.`,
    );
  if (status === undefined && CONNECTION.has(codeOf(error)))
    return make(
      "store-unreachable",
      `Cannot reach ${server} (${codeOf(error)}) while ${doing}. Check --blobs-endpoint and the network, then run again.`,
    );
  const why =
    error instanceof SlowRequest
      ? "no reply in time"
      : `${oneLine(name, 60)}${status === undefined ? "" : `, status ${status}`}`;
  return make(
    "store-unreachable",
    `${server} failed (${why}) while ${doing} in ${at.shown}. Check that it works, then run again.`,
  );
}

function read(error: unknown): { name: string; status: number | undefined } {
  if (!(error instanceof Error)) return { name: "unknown error", status: undefined };
  const { $metadata } = error as { $metadata?: { httpStatusCode?: number } };
  return { name: error.name, status: $metadata?.httpStatusCode };
}

/** The code of a connection's error; several addresses of one name fail together. */
function codeOf(error: unknown): string {
  if (error instanceof AggregateError) return codeOf(error.errors[0]);
  return systemCode(error) ?? "";
}
