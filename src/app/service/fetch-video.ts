import { basename } from "node:path";
import type { Readable } from "node:stream";
import { type Dispatcher, request } from "undici";
import { oneLine } from "../../core/errors.ts";
import { findProblem, guardedAgent, type IsPublic, type Resolve } from "./guarded-agent.ts";
import { httpProblem } from "./problems.ts";

const MAX_REDIRECTS = 5;
const TIMEOUT_MS = 15_000;

/** The response of a video download. */
export interface VideoDownload {
  body: Readable;
  /** The announced size in bytes, or null. */
  size: number | null;
  name: string;
}

/**
 * Starts a download from a host that the operator allows. Every redirect is checked in the same way, and the address of
 * the connection must be public, which prevents SSRF through DNS or redirects.
 * Throws a 400 problem (not an http URL), 403 (host or address) or 422 (the server did not return the file).
 */
export async function fetchVideo(
  given: string,
  hosts: readonly string[],
  allow?: IsPublic,
  resolve?: Resolve,
): Promise<VideoDownload> {
  const dispatcher = guardedAgent(allow, resolve, TIMEOUT_MS);
  let url: URL = checkUrl(given, hosts);
  for (let hop = 0; hop <= MAX_REDIRECTS; hop++) {
    const reply: Dispatcher.ResponseData = await request(url.href, {
      dispatcher,
      headersTimeout: TIMEOUT_MS,
      bodyTimeout: TIMEOUT_MS,
    }).catch((error: unknown) => {
      throw findProblem(error) ?? unreachable(url, error);
    });
    const { location } = reply.headers;
    if (reply.statusCode >= 300 && reply.statusCode < 400 && typeof location === "string") {
      discard(reply.body);
      url = checkUrl(URL.parse(location, url.href)?.href ?? "", hosts);
      continue;
    }
    if (reply.statusCode !== 200) {
      discard(reply.body);
      throw httpProblem(
        422,
        "not-fetched",
        `Cannot fetch the video: ${url.host} responded with status ${reply.statusCode}.`,
      );
    }
    const length = Number(reply.headers["content-length"] ?? Number.NaN);
    return {
      body: reply.body,
      size: Number.isSafeInteger(length) && length > 0 ? length : null,
      name: basename(url.pathname).slice(0, 300) || url.hostname,
    };
  }
  throw httpProblem(
    422,
    "not-fetched",
    `Cannot fetch the video: the server sent more than ${MAX_REDIRECTS} redirects.`,
  );
}

/** Closes the download. The error of the destroyed body is ignored. */
export function discard(body: Readable): void {
  body.on("error", () => undefined);
  body.destroy();
}

function checkUrl(text: string, hosts: readonly string[]): URL {
  const url = URL.parse(text);
  if (url === null || !["http:", "https:"].includes(url.protocol))
    throw httpProblem(400, "wrong-url", "Invalid URL: use an http or https URL.");
  if (url.username !== "" || url.password !== "")
    throw httpProblem(400, "wrong-url", "Invalid URL: a user name or password is not allowed.");
  const port = url.port || (url.protocol === "https:" ? "443" : "80");
  if (!hosts.includes(url.hostname) && !hosts.includes(`${url.hostname}:${port}`))
    throw httpProblem(
      403,
      "host-not-allowed",
      hosts.length === 0
        ? "This service fetches no URLs. Upload the file instead."
        : `The host ${JSON.stringify(oneLine(url.host, 80))} is not allowed. Allowed hosts: ${hosts.join(", ")}.`,
    );
  return url;
}

function unreachable(url: URL, error: unknown) {
  const reason = error instanceof Error ? error.message : String(error);
  return httpProblem(422, "not-fetched", `Cannot reach ${url.host}: ${oneLine(reason, 100)}`);
}
