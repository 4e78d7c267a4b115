import ipaddr from "ipaddr.js";
import { RateLimiterMemory, RateLimiterRes } from "rate-limiter-flexible";

/** Seconds that guessing is refused for. */
const BLOCKED_S = 60;
/** Wrong tokens a minute that begin alike, from one address: a client with an old token. */
const ALIKE = { points: 10, duration: 60, blockDuration: BLOCKED_S };
/** Wrong tokens a minute from one address. There is no limit over all addresses: it would lock everybody out. */
const ADDRESS = { points: 100, duration: 60, blockDuration: BLOCKED_S };
/** Characters of a token that are compared, the prefix of our own keys included. */
const PREFIX = 12;

/**
 * Counts wrong tokens by address, and by address and the beginning of the token. Counts are kept in memory for a minute;
 * an address that is blocked adds no further entries, so that one stranger cannot fill the memory.
 */
export function createGuessLimit() {
  const byAddress = new RateLimiterMemory(ADDRESS);
  const byPrefix = new RateLimiterMemory(ALIKE);

  return {
    /** Counts one wrong token. Returns the milliseconds that the caller has to wait; 0: not yet limited. */
    async consume(address: string, token: string): Promise<number> {
      const network = networkOf(address);
      const waited = await take(byAddress, network);
      return waited > 0 ? waited : take(byPrefix, `${network} ${token.slice(0, PREFIX)}`);
    },
  };
}

async function take(limiter: RateLimiterMemory, key: string): Promise<number> {
  try {
    await limiter.consume(key);
    return 0;
  } catch (error) {
    if (error instanceof RateLimiterRes) {
      // The library counts by the time of day, and a clock that was set back would make it hours.
      return Math.min(Math.max(1, error.msBeforeNext), BLOCKED_S * 1000);
    }
    throw error;
  }
}

/** One household has a /64 of IPv6 addresses: they count as one. */
function networkOf(address: string): string {
  if (!ipaddr.isValid(address)) return address;
  const read = ipaddr.process(address);
  return read.kind() === "ipv4" ? read.toString() : read.toByteArray().slice(0, 8).join(".");
}
