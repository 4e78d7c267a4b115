import { type LookupAddress, type LookupAllOptions, lookup } from "node:dns";
import { isIP, type Socket } from "node:net";
import ipaddr from "ipaddr.js";
import { Agent, buildConnector } from "undici";
import { httpProblem } from "./problems.ts";

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

/**
 * Connects to allowed addresses only, which prevents SSRF through DNS: checks the addresses of DNS before connecting, and
 * the remote address after it.
 */
export function guardedAgent(
  allow: IsPublic = isPublic,
  resolve: Resolve = lookup,
  timeout_ms = 15_000,
): Agent {
  return new Agent({ connect: guardedConnector(allow, resolve, timeout_ms) });
}

function guardedConnector(
  allow: IsPublic,
  resolve: Resolve,
  timeout: number,
): buildConnector.connector {
  const connect = buildConnector({
    timeout,
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
export function findProblem(error: unknown): Error | undefined {
  const chain = [error, error instanceof Error ? error.cause : undefined];
  return chain.find(
    (one): one is Error => one instanceof Error && one.name === notPublic().name && "status" in one,
  );
}
