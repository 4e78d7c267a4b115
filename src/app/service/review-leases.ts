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
    /** Whether the lease is blind, and its duration so far in seconds; null if there is none. */
    find: (question: string, rater: string) => shared.find(question, rater, LEASE_MS),
    end: (question: string, rater: string) => shared.end(question, rater),
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
    async find(question, rater, life_ms) {
      const own = valid(question, life_ms).find((lease) => lease.rater === rater);
      if (own === undefined) return null;
      return { seconds: Math.round(performance.now() - own.since) / 1000, blind: own.blind };
    },
    async end(question, rater) {
      const rest = (leases.get(question) ?? []).filter((lease) => lease.rater !== rater);
      if (rest.length === 0) leases.delete(question);
      else leases.set(question, rest);
    },
  };
}
