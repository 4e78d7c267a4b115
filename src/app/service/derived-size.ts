import type { Store } from "../../core/contracts.ts";

/** Counting thousands of frames takes a while: a count serves for so long. */
const FRESH_MS = 60_000;

/** Bytes that were derived from each video, counted at most once a minute. */
export function createDerivedSize(store: Pick<Store, "derivedSize">) {
  const known = new Map<string, { bytes: number; at: number }>();
  return {
    /** Bytes of frames, index, kept steps and events of a video. */
    async of(hash: string): Promise<number> {
      const seen = known.get(hash);
      if (seen !== undefined && performance.now() - seen.at < FRESH_MS) return seen.bytes;
      const { bytes } = await store.derivedSize(hash);
      known.set(hash, { bytes, at: performance.now() });
      return bytes;
    },
    /** Counts a video again at the next look: something was derived or removed. */
    refresh: (hash: string): boolean => known.delete(hash),
  };
}

export type DerivedSize = ReturnType<typeof createDerivedSize>;
