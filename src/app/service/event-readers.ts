import { setImmediate as nextTurn } from "node:timers/promises";
import pLimit from "p-limit";
import type { Metrics } from "./metrics.ts";
import type { ServiceOptions } from "./options.ts";
import { refuse } from "./problems.ts";

/** A reader that has taken nothing for so long gives up its place to a new one of the same caller. */
const REPLACED_AFTER_MS = 1_000;

/** One open event stream. */
export interface EventReader {
  /**
   * Waits until the client has taken what `write` sends. False: the client has gone, or was disconnected because it took
   * nothing in time.
   */
  sent(write: () => Promise<unknown>): Promise<boolean>;
  leave(): void;
}

interface Place {
  owner: string;
  /** Since when the client has taken nothing of what is there for it; null: it takes all. */
  waits_since: number | null;
  drop(): void;
}

/**
 * Places of event streams: a bounded number for each caller, and none for long for a client that does not read. A client
 * that was disconnected resumes with `Last-Event-ID`, since events are kept in the store.
 */
export function createEventReaders(
  { open_streams, patience }: Pick<ServiceOptions, "open_streams" | "patience">,
  metrics: Pick<Metrics, "streams" | "dropped">,
) {
  const places = new Set<Place>();

  const oneByOne = pLimit(1);

  function makeRoom(owner: string): void {
    const own = [...places].filter((place) => place.owner === owner);
    if (own.length < open_streams) return;
    const waiting = own.filter(({ waits_since }) => waits_since !== null);
    waiting.sort((a, b) => Number(a.waits_since) - Number(b.waits_since));
    const [slowest] = waiting;
    const waited = performance.now() - Number(slowest?.waits_since);
    if (slowest === undefined || waited < REPLACED_AFTER_MS)
      throw refuse(
        429,
        "too-many-streams",
        `${own.length} event streams are open, the most at once. Close one first.`,
        { headers: { "Retry-After": "1" } },
      );
    slowest.drop();
  }

  return {
    /**
     * Makes one page of events at a time, with a turn of the event loop before each: many readers that begin at once must
     * not keep other requests waiting.
     */
    inTurn<T>(make: () => Promise<T>): Promise<T> {
      return oneByOne(async () => {
        await nextTurn();
        return make();
      });
    },
    /** Throws a problem 429. `disconnect` ends the connection at once; `gone` is aborted when it has ended. */
    enter(owner: string, disconnect: () => void, gone: AbortSignal): EventReader {
      makeRoom(owner);
      const drop = () => {
        metrics.dropped.inc();
        leave();
        disconnect();
      };
      const place: Place = { owner, waits_since: null, drop };
      const leave = () => {
        if (places.delete(place)) metrics.streams.dec();
      };
      places.add(place);
      metrics.streams.inc();
      return {
        leave,
        sent: (write) =>
          new Promise((resolve, reject) => {
            if (gone.aborted) return resolve(false);
            place.waits_since = performance.now();
            const stalled = setTimeout(drop, patience.stalled_ms);
            const end = (settle: () => void) => {
              clearTimeout(stalled);
              gone.removeEventListener("abort", left);
              place.waits_since = null;
              settle();
            };
            // A write to a client that has gone may never settle.
            const left = () => end(() => resolve(false));
            gone.addEventListener("abort", left, { once: true });
            write().then(
              () => end(() => resolve(true)),
              (error: unknown) => end(() => reject(error)),
            );
          }),
      };
    },
  };
}

export type EventReaders = ReturnType<typeof createEventReaders>;
