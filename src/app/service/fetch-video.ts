import { type LookupAddress, type LookupAllOptions, lookup } from "node:dns";
import { isIP, type Socket } from "node:net";
import { basename } from "node:path";
import type { Readable } from "node:stream";
import ipaddr from "ipaddr.js";
import { Agent, buildConnector, type Dispatcher, request } from "undici";
import { oneLine } from "../../core/errors.ts";
import { refuse } from "./problems.ts";

const MOST_REDIRECTS = 5;
const TIMEOUT_MS = 15_000;

/** Whether an address may be connected to: a public one of the internet. Tests let loopback through. */
export type IsPublic = (address: string) => boolean;

/** The addresses of a name. Tests give names addresses of their own. */
export type Resolve = (
  name: string,
  options: LookupAllOptions,
  done: (error: NodeJS.ErrnoException | null, addresses: LookupAddress[]) => void,
) => void;

/** False for loopback, private, link-local, carrier, multicast, reserved and unreadable addresses, IPv4 within IPv6 too. */
export function isPublic(address: string): boolean {
  if (!ipaddr.isValid(address)) return false;
  return ipaddr.process(address).range() === "unicast";
}

export interface Fetched {
  body: Readable;
  /** Bytes announced, or null. */
  size: number | null;
  name: string;
}

/**
 * Begins to fetch a file from a host that the operator allows. Every redirect is checked in the same way, and the
 * address that is really connected to must be a public one, so that neither DNS nor a redirect leads inside.
 * Throws a problem 403 (host or address), 400 (no http URL) or 422 (the server did not give it).
 */
export async function fetchToFile(
  given: string,
  hosts: readonly string[],
  allow: IsPublic = isPublic,
  resolve: Resolve = lookup,
): Promise<Fetched> {
  const dispatcher = new Agent({ connect: guardedConnector(allow, resolve) });
  let url: URL = checkUrl(given, hosts);
  for (let hop = 0; hop <= MOST_REDIRECTS; hop++) {
    const reply: Dispatcher.ResponseData = await request(url.href, {
      dispatcher,
      headersTimeout: TIMEOUT_MS,
      bodyTimeout: TIMEOUT_MS,
    }).catch((error: unknown) => {
      throw refusalIn(error) ?? unreachable(url, error);
    });
    const { location } = reply.headers;
    if (reply.statusCode >= 300 && reply.statusCode < 400 && typeof location === "string") {
      leave(reply.body);
      url = checkUrl(URL.parse(location, url.href)?.href ?? "", hosts);
      continue;
    }
    if (reply.statusCode !== 200) {
      leave(reply.body);
      throw refuse(
        422,
        "not-fetched",
        `Expected ${url.host} to give the file, but it answered ${reply.statusCode}.`,
      );
    }
    const length = Number(reply.headers["content-length"] ?? Number.NaN);
    return {
      body: reply.body,
      size: Number.isSafeInteger(length) && length > 0 ? length : null,
      name: basename(url.pathname).slice(0, 300) || url.hostname,
    };
  }
  throw refuse(422, "not-fetched", `Expected a file after at most ${MOST_REDIRECTS} redirects.`);
}

/** Hangs up; a body that is destroyed says so by an error that nobody waits for. */
export function leave(body: Readable): void {
  body.on("error", () => undefined);
  body.destroy();
}

function checkUrl(text: string, hosts: readonly string[]): URL {
  const url = URL.parse(text);
  if (url === null || !["http:", "https:"].includes(url.protocol))
    throw refuse(400, "wrong-url", "Expected an http or https URL.");
  if (url.username !== "" || url.password !== "")
    throw refuse(400, "wrong-url", "Expected a URL without a password.");
  if (!hosts.includes(url.hostname) && !hosts.includes(url.host))
    throw refuse(
      403,
      "host-not-allowed",
      hosts.length === 0
        ? "Expected an upload: this service fetches no URLs."
        : `Expected a URL of ${hosts.join(", ")}, got one of ${JSON.stringify(oneLine(url.host, 80))}.`,
    );
  return url;
}

/** Refuses before connecting what DNS gives, and after connecting what was really reached. */
function guardedConnector(allow: IsPublic, resolve: Resolve): buildConnector.connector {
  const connect = buildConnector({
    timeout: TIMEOUT_MS,
    lookup(hostname, options, callback) {
      resolve(hostname, { ...options, all: true }, (error, addresses) => {
        if (error !== null) return callback(error, []);
        const allowed = addresses.filter(({ address }) => allow(address));
        if (allowed.length === 0) return callback(inside(), []);
        callback(null, allowed);
      });
    },
  });
  return (options, callback) => {
    const host = options.hostname.replace(/^\[|\]$/g, "");
    // An address needs no lookup, so nothing would look at it.
    if (isIP(host) !== 0 && !allow(host)) return callback(inside(), null);
    connect(options, (error, socket) => {
      if (error !== null || socket === null) return callback(error as Error, null);
      const { remoteAddress } = socket as Socket;
      if (remoteAddress !== undefined && allow(remoteAddress)) return callback(null, socket);
      socket.destroy();
      callback(inside(), null);
    });
  };
}

function inside() {
  return refuse(
    403,
    "address-not-allowed",
    "Expected a host with a public address, but its name leads to a private one.",
  );
}

function refusalIn(error: unknown): Error | undefined {
  const chain = [error, error instanceof Error ? error.cause : undefined];
  return chain.find(
    (one): one is Error => one instanceof Error && one.name === inside().name && "status" in one,
  );
}

function unreachable(url: URL, error: unknown) {
  const said = error instanceof Error ? error.message : String(error);
  return refuse(
    422,
    "not-fetched",
    `Expected to reach ${url.host}, but it failed: ${oneLine(said, 100)}`,
  );
}
