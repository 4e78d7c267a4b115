import type { Store } from "../../core/contracts.ts";

/** How long a count is cached: counting thousands of frames is slow. */
const FRESH_MS = 60_000;

/** Size of the data derived from each video, counted at most once a minute. */
export function createDerivedSize(store: Pick<Store, "derivedSize">) {
  const cached = new Map<string, { bytes: number; at: number }>();
  return {
    /** Bytes of the frames, index, stored steps and events of a video. */
    async of(hash: string): Promise<number> {
      const seen = cached.get(hash);
      if (seen !== undefined && performance.now() - seen.at < FRESH_MS) return seen.bytes;
      const { bytes } = await store.derivedSize(hash);
      cached.set(hash, { bytes, at: performance.now() });
      return bytes;
    },
    /** Drops the cached count of a video after data was derived or removed. */
    refresh: (hash: string): boolean => cached.delete(hash),
  };
}

export type DerivedSize = ReturnType<typeof createDerivedSize>;
