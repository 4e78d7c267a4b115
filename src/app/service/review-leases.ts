import type { SharedReviewLeases } from "../../core/replicas.ts";

/** How long an answer that one rater was given is not given to others. */
const LEASE_MS = 10 * 60_000;

/** The rater who gave no name; may be anybody, also the one who asks next, so that their leases keep nobody away. */
export const NO_NAME = "person";

interface Lease {
  rater: string;
  blind: boolean;
  /** On the monotonic clock. */
  since: number;
}

/** Which rater has which answer in review, so that two raters do not work on the same one, and since when. */
export function createReviewLeases(shared: SharedReviewLeases = localLeases()) {
  return {
    /** Takes the answer, unless `most` other raters have it in review. Returns whether it did. */
    take: (question: string, rater: string, blind: boolean, most: number): Promise<boolean> =>
      shared.take(question, rater, blind, { most, except: NO_NAME, life_ms: LEASE_MS }),
    /** Ends the lease and returns its duration in seconds, or null if there was none. */
    end: (question: string, rater: string) => shared.end(question, rater, LEASE_MS),
  };
}

/** Leases of one process. */
function localLeases(): SharedReviewLeases {
  const leases = new Map<string, Lease[]>();

  const valid = (question: string, life_ms: number): Lease[] => {
    const now = performance.now();
    const left = (leases.get(question) ?? []).filter(({ since }) => now - since < life_ms);
    if (left.length === 0) leases.delete(question);
    else leases.set(question, left);
    return left;
  };

  return {
    async take(question, rater, blind, { most, except, life_ms }) {
      const others = valid(question, life_ms).filter((lease) => lease.rater !== rater);
      if (others.filter((lease) => lease.rater !== except).length >= most) return false;
      leases.set(question, [...others, { rater, blind, since: performance.now() }]);
      return true;
    },
    async end(question, rater, life_ms) {
      const all = valid(question, life_ms);
      const own = all.find((lease) => lease.rater === rater);
      if (own === undefined) return null;
      const rest = all.filter((lease) => lease !== own);
      if (rest.length === 0) leases.delete(question);
      else leases.set(question, rest);
      return { seconds: Math.round(performance.now() - own.since) / 1000, blind: own.blind };
    },
  };
}
