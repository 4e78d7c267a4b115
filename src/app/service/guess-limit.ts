import ipaddr from "ipaddr.js";
import { RateLimiterMemory, RateLimiterRes } from "rate-limiter-flexible";

/** Seconds for which further wrong tokens are refused. */
const BLOCKED_S = 60;
/** Wrong tokens a minute with the same prefix from one address: a client with an old token. */
const BY_PREFIX = { points: 10, duration: 60, blockDuration: BLOCKED_S };
/** Wrong tokens a minute from one address. A limit for all addresses together would lock out everyone. */
const BY_ADDRESS = { points: 100, duration: 60, blockDuration: BLOCKED_S };
/** Characters of the compared prefix, including the fixed prefix of keys. */
const PREFIX = 12;

/**
 * Rate-limits wrong tokens by address, and by address and token prefix. Counters stay in memory for a minute. A blocked
 * address adds no further counters, so that one client cannot fill the memory.
 */
export function createGuessLimit() {
  const byAddress = new RateLimiterMemory(BY_ADDRESS);
  const byPrefix = new RateLimiterMemory(BY_PREFIX);

  return {
    /** Counts one wrong token. Returns the milliseconds that the caller must wait; 0: not limited. */
    async consume(address: string, token: string): Promise<number> {
      const network = networkOf(address);
      const wait_ms = await take(byAddress, network);
      return wait_ms > 0 ? wait_ms : take(byPrefix, `${network} ${token.slice(0, PREFIX)}`);
    },
  };
}

async function take(limiter: RateLimiterMemory, key: string): Promise<number> {
  try {
    await limiter.consume(key);
    return 0;
  } catch (error) {
    if (error instanceof RateLimiterRes) {
      // The library uses the system clock: if it was set back, the wait would be hours.
      return Math.min(Math.max(1, error.msBeforeNext), BLOCKED_S * 1000);
    }
    throw error;
  }
}

/** An IPv6 /64 usually belongs to one subscriber and counts as one address. */
function networkOf(address: string): string {
  if (!ipaddr.isValid(address)) return address;
  const read = ipaddr.process(address);
  return read.kind() === "ipv4" ? read.toString() : read.toByteArray().slice(0, 8).join(".");
}
