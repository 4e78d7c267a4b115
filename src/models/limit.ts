import PQueue from "p-queue";
import type { Connections } from "../core/settings.ts";

/** The places that calls to one server may take at once. */
export interface Places {
  /**
   * Runs `work` once a place is free, first come first served; a call that is aborted while it waits leaves the line.
   * `overloaded` tells which errors mean that the server has too much to do.
   */
  run<T>(
    work: () => Promise<T>,
    overloaded: (error: unknown) => boolean,
    signal: AbortSignal,
  ): Promise<T>;
  /** Calls allowed at once, now. */
  width(): number;
}

const servers = new Map<string, Places & { setBounds(bounds: Connections): void }>();

/** The one limit of a process for a server, named by provider and base URL. The last bounds given hold. */
export function placesFor(server: string, bounds: number | Connections): Places {
  const known = servers.get(server) ?? createPlaces(bounds);
  servers.set(server, known);
  known.setBounds(boundsOf(bounds));
  return known;
}

/** A number alone is where the width begins and its most; it may shrink to 1. */
function boundsOf(given: number | Connections): Connections {
  return typeof given === "number" ? { min: 1, start: given, max: given } : given;
}

/**
 * Additive increase, multiplicative decrease (as TCP does it): an overload halves the width, once for all the calls
 * that were in flight together; each width of good replies adds one place. It begins at `start` and stays from `min`
 * to `max`.
 */
export function createPlaces(
  first: number | Connections,
): Places & { setBounds(bounds: Connections): void } {
  let bounds = boundsOf(first);
  let width = bounds.start;
  let shrinks = 0;
  const queue = new PQueue({ concurrency: bounds.start });

  function setWidth(next: number) {
    width = Math.min(bounds.max, Math.max(bounds.min, next));
    queue.concurrency = Math.floor(width);
  }

  return {
    run: (work, overloaded, signal) =>
      queue.add(
        async () => {
          const began = shrinks;
          try {
            const value = await work();
            setWidth(width + 1 / width);
            return value;
          } catch (error) {
            if (overloaded(error) && began === shrinks) {
              shrinks++;
              setWidth(width / 2);
            }
            throw error;
          }
        },
        { signal },
      ),
    width: () => Math.floor(width),
    setBounds(next) {
      if (next.min === bounds.min && next.start === bounds.start && next.max === bounds.max) return;
      const full = width === bounds.max;
      bounds = next;
      setWidth(full ? next.start : width);
    },
  };
}
