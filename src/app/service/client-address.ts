import ipaddr from "ipaddr.js";
import { Failure } from "../../core/errors.ts";

type Network = [ipaddr.IPv4 | ipaddr.IPv6, number];

/** Headers and remote address that identify the client of a request. */
export interface Forwarded {
  /** Remote address of the connection. */
  remote: string;
  /** `X-Forwarded-For`, `X-Forwarded-Proto` and `X-Forwarded-Host`, if sent. */
  for: string | undefined;
  proto: string | undefined;
  host: string | undefined;
}

export interface Client {
  address: string;
  /** Whether the client reached the proxy over HTTPS. */
  secure: boolean;
  /** Host that the client requested, if a trusted proxy passes it on. */
  host: string | null;
  /** Whether the connection comes from a trusted proxy. */
  proxied: boolean;
}

/**
 * Returns a function that determines the client of a request. It uses `X-Forwarded-*` headers of trusted proxies only:
 * any other sender could forge them. Throws `Failure` `wrong-usage` for an invalid address.
 *
 * @param trusted Addresses or CIDR ranges of the operator's proxies.
 * @example
 * const clientOf = createClientReader(["127.0.0.1", "10.0.0.0/8"]);
 */
export function createClientReader(trusted: readonly string[]): (given: Forwarded) => Client {
  const networks = trusted.map(readNetwork);
  const isTrusted = (text: string) => {
    const address = readAddress(text);
    return (
      address !== null &&
      networks.some(([net, bits]) => address.kind() === net.kind() && address.match(net, bits))
    );
  };
  return ({ remote, ...headers }) => {
    if (!isTrusted(remote)) return { address: remote, secure: false, host: null, proxied: false };
    // Each proxy appends the address of its peer: the last untrusted one is the client.
    const hops = (headers.for ?? "").split(",").map((hop) => hop.trim());
    const client = hops.findLast((hop) => readAddress(hop) !== null && !isTrusted(hop));
    return {
      address: client ?? remote,
      secure: last(headers.proto)?.toLowerCase() === "https",
      host: last(headers.host) ?? null,
      proxied: true,
    };
  };
}

function last(header: string | undefined): string | undefined {
  return header?.split(",").at(-1)?.trim() || undefined;
}

/** Parses an address; an IPv4-mapped IPv6 address (`::ffff:10.0.0.1`) becomes IPv4. */
function readAddress(text: string): ipaddr.IPv4 | ipaddr.IPv6 | null {
  return ipaddr.isValid(text) ? ipaddr.process(text) : null;
}

function readNetwork(text: string): Network {
  try {
    if (text.includes("/")) return ipaddr.parseCIDR(text) as Network;
    const address = ipaddr.process(text);
    return [address, address.kind() === "ipv4" ? 32 : 128];
  } catch (error) {
    throw new Failure(
      "wrong-usage",
      `Invalid --trust-proxy ${JSON.stringify(text)}: use an address or a CIDR range, for example 10.0.0.0/8.`,
      { given: text },
      { cause: error },
    );
  }
}
