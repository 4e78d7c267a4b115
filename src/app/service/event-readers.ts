import { setImmediate as nextTurn } from "node:timers/promises";
import pLimit from "p-limit";
import type { Metrics } from "./metrics.ts";
import type { ServiceOptions } from "./options.ts";
import { httpProblem } from "./problems.ts";

/** A client that has read nothing for this long is replaced by a new stream of the same caller. */
const REPLACED_AFTER_MS = 1_000;

/** One open event stream. */
export interface EventReader {
  /**
   * Waits until the client has read what `write` sends. Returns false if the client disconnected, or was disconnected
   * because it did not read in time.
   */
  sent(write: () => Promise<unknown>): Promise<boolean>;
  leave(): void;
}

interface Slot {
  owner: string;
  /** When the pending write began; null: no write is pending. */
  blocked_since: number | null;
  drop(): void;
}

/**
 * Limits open event streams for each caller and disconnects clients that do not read. A disconnected client resumes with
 * `Last-Event-ID`: events are stored.
 */
export function createEventReaders(
  { open_streams, timeouts }: Pick<ServiceOptions, "open_streams" | "timeouts">,
  metrics: Pick<Metrics, "streams" | "dropped">,
) {
  const slots = new Set<Slot>();

  const oneByOne = pLimit(1);

  function makeRoom(owner: string): void {
    const own = [...slots].filter((slot) => slot.owner === owner);
    if (own.length < open_streams) return;
    const blocked = own.filter(({ blocked_since }) => blocked_since !== null);
    blocked.sort((a, b) => Number(a.blocked_since) - Number(b.blocked_since));
    const [slowest] = blocked;
    const blocked_ms = performance.now() - Number(slowest?.blocked_since);
    if (slowest === undefined || blocked_ms < REPLACED_AFTER_MS)
      throw httpProblem(
        429,
        "too-many-streams",
        `${own.length} event streams are open, which is the limit. Close one first.`,
        { headers: { "Retry-After": "1" } },
      );
    slowest.drop();
  }

  return {
    /**
     * Reads one page of events at a time and yields to the event loop before each, so that many new streams do not delay
     * other requests.
     */
    inTurn<T>(make: () => Promise<T>): Promise<T> {
      return oneByOne(async () => {
        await nextTurn();
        return make();
      });
    },
    /** Opens a stream. `disconnect` closes the connection; `gone` is aborted when it is closed. Throws a 429 problem. */
    enter(owner: string, disconnect: () => void, gone: AbortSignal): EventReader {
      makeRoom(owner);
      const drop = () => {
        metrics.dropped.inc();
        leave();
        disconnect();
      };
      const slot: Slot = { owner, blocked_since: null, drop };
      const leave = () => {
        if (slots.delete(slot)) metrics.streams.dec();
      };
      slots.add(slot);
      metrics.streams.inc();
      return {
        leave,
        sent: (write) =>
          new Promise((resolve, reject) => {
            if (gone.aborted) return resolve(false);
            slot.blocked_since = performance.now();
            const stalled = setTimeout(drop, timeouts.stalled_ms);
            const end = (settle: () => void) => {
              clearTimeout(stalled);
              gone.removeEventListener("abort", left);
              slot.blocked_since = null;
              settle();
            };
            // A write to a disconnected client may never settle.
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
