import { setImmediate as nextTurn } from "node:timers/promises";
import type { Store } from "../../core/contracts.ts";
import { libraryTexts } from "./library-texts.ts";

/** Videos read from the list of changed ones at once. */
const BATCH = 50;
/** Pause between two looks for changed videos. */
const PAUSE_MS = 1000;
/** Pause after each video in the background, so that a long backfill leaves time for requests. */
const REST_MS = 5;

/** Indexes changed videos until none is left, or until `ms` milliseconds are over. The newest changes come first. */
export async function catchUp(store: Store, ms: number, owner?: string): Promise<void> {
  const until = performance.now() + ms;
  while (performance.now() < until) {
    const [one] = await store.library.stale("newest", 1, owner);
    if (one === undefined) return;
    await store.library.put(one, await libraryTexts(store, one.upload));
    await nextTurn();
  }
}

/**
 * Keeps the index of a service up to date in the background: the oldest changes first, so that newer videos are listed
 * first among many matches. Returns a function that stops it.
 */
export function startIndexing(
  store: Store,
  onError: (error: unknown) => void,
): () => Promise<void> {
  let stopped = false;
  let wake: () => void = () => {};
  const rest = (ms: number) =>
    new Promise<void>((done) => {
      const timer = setTimeout(done, ms);
      wake = () => {
        clearTimeout(timer);
        done();
      };
    });

  async function work(): Promise<void> {
    while (!stopped) {
      const batch = await store.library.stale("oldest", BATCH).catch((error: unknown) => {
        onError(error);
        return [];
      });
      for (const one of batch) {
        if (stopped) return;
        try {
          await store.library.put(one, await libraryTexts(store, one.upload));
        } catch (error) {
          onError(error);
          // A full disk or a damaged row: the next round tries again.
          await rest(PAUSE_MS);
        }
        await rest(REST_MS);
      }
      if (batch.length === 0) await rest(PAUSE_MS);
    }
  }

  const working = work();
  return async () => {
    stopped = true;
    wake();
    await working;
  };
}
