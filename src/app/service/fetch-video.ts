import { type LookupAddress, type LookupAllOptions, lookup } from "node:dns";
import { isIP, type Socket } from "node:net";
import { basename } from "node:path";
import type { Readable } from "node:stream";
import ipaddr from "ipaddr.js";
import { Agent, buildConnector, type Dispatcher, request } from "undici";
import { oneLine } from "../../core/errors.ts";
import { httpProblem } from "./problems.ts";

const MAX_REDIRECTS = 5;
const TIMEOUT_MS = 15_000;

/** Whether the service may connect to an address. Tests allow loopback. */
export type IsPublic = (address: string) => boolean;

/** Resolves a host name. Tests replace it. */
export type Resolve = (
  name: string,
  options: LookupAllOptions,
  done: (error: NodeJS.ErrnoException | null, addresses: LookupAddress[]) => void,
) => void;

/** False for loopback, private, link-local, carrier-grade NAT, multicast, reserved and invalid addresses, also as IPv4-mapped IPv6. */
export function isPublic(address: string): boolean {
  if (!ipaddr.isValid(address)) return false;
  return ipaddr.process(address).range() === "unicast";
}

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
  allow: IsPublic = isPublic,
  resolve: Resolve = lookup,
): Promise<VideoDownload> {
  const dispatcher = new Agent({ connect: guardedConnector(allow, resolve) });
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
  if (!hosts.includes(url.hostname) && !hosts.includes(url.host))
    throw httpProblem(
      403,
      "host-not-allowed",
      hosts.length === 0
        ? "This service fetches no URLs. Upload the file instead."
        : `The host ${JSON.stringify(oneLine(url.host, 80))} is not allowed. Allowed hosts: ${hosts.join(", ")}.`,
    );
  return url;
}

/** Checks the addresses of DNS before connecting, and the remote address after connecting. */
function guardedConnector(allow: IsPublic, resolve: Resolve): buildConnector.connector {
  const connect = buildConnector({
    timeout: TIMEOUT_MS,
    lookup(hostname, options, callback) {
      resolve(hostname, { ...options, all: true }, (error, addresses) => {
        if (error !== null) return callback(error, []);
        const allowed = addresses.filter(({ address }) => allow(address));
        if (allowed.length === 0) return callback(notPublic(), []);
        callback(null, allowed);
      });
    },
  });
  return (options, callback) => {
    const host = options.hostname.replace(/^\[|\]$/g, "");
    // `lookup` is not called for an IP address.
    if (isIP(host) !== 0 && !allow(host)) return callback(notPublic(), null);
    connect(options, (error, socket) => {
      if (error !== null || socket === null) return callback(error as Error, null);
      const { remoteAddress } = socket as Socket;
      if (remoteAddress !== undefined && allow(remoteAddress)) return callback(null, socket);
      socket.destroy();
      callback(notPublic(), null);
    });
  };
}

function notPublic() {
  return httpProblem(
    403,
    "address-not-allowed",
    "The host resolves to a private address. Only public addresses are allowed.",
  );
}

/** The problem that the connector threw, which undici may wrap. */
function findProblem(error: unknown): Error | undefined {
  const chain = [error, error instanceof Error ? error.cause : undefined];
  return chain.find(
    (one): one is Error => one instanceof Error && one.name === notPublic().name && "status" in one,
  );
}

function unreachable(url: URL, error: unknown) {
  const reason = error instanceof Error ? error.message : String(error);
  return httpProblem(422, "not-fetched", `Cannot reach ${url.host}: ${oneLine(reason, 100)}`);
}
