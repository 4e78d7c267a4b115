import { setImmediate as nextTurn } from "node:timers/promises";
import type { Store } from "../../core/contracts.ts";

/** After this time a count is repeated in the background: counting thousands of frames is slow. */
const FRESH_MS = 60_000;

/** Size of the data derived from each video: the frames, index, stored steps and events. */
export function createDerivedSize(store: Pick<Store, "derivedSize">) {
  const cached = new Map<string, { bytes: number; at: number }>();
  /** Videos to count in the background, one after the other. */
  const waiting = new Set<string>();
  let counting = false;
  let closed = false;

  const running = new Map<string, Promise<number>>();

  function count(hash: string): Promise<number> {
    const shared = running.get(hash) ?? countOnce(hash).finally(() => running.delete(hash));
    running.set(hash, shared);
    return shared;
  }

  async function countOnce(hash: string): Promise<number> {
    const { bytes } = await store.derivedSize(hash);
    cached.set(hash, { bytes, at: performance.now() });
    return bytes;
  }

  async function countWaiting(): Promise<void> {
    if (counting) return;
    counting = true;
    for (const hash of waiting) {
      // Requests come first.
      await nextTurn();
      if (closed) break;
      waiting.delete(hash);
      // A failed count is repeated by whoever needs it.
      await count(hash).catch(() => cached.delete(hash));
    }
    counting = false;
  }

  function countLater(hash: string): void {
    waiting.add(hash);
    void countWaiting();
  }

  function seen(hash: string): number | undefined {
    const found = cached.get(hash);
    if (found !== undefined && performance.now() - found.at > FRESH_MS) countLater(hash);
    return found?.bytes;
  }

  return {
    /** Bytes of a video when it was counted last; an old count is repeated in the background. */
    of: async (hash: string): Promise<number> => seen(hash) ?? count(hash),
    /** As `of`, but 0 for a video that was not counted yet. */
    known: (hash: string): number => seen(hash) ?? 0,
    /** Drops the count of a video after data was derived or removed. */
    refresh: (hash: string): boolean => cached.delete(hash),
    close(): void {
      closed = true;
    },
  };
}

export type DerivedSize = ReturnType<typeof createDerivedSize>;
