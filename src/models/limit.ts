import PQueue from "p-queue";

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

const servers = new Map<string, Places & { setCeiling(ceiling: number): void }>();

/** The one limit of a process for a server, named by provider and base URL. The last ceiling given holds. */
export function placesFor(server: string, ceiling: number): Places {
  const known = servers.get(server) ?? createPlaces(ceiling);
  servers.set(server, known);
  known.setCeiling(ceiling);
  return known;
}

/**
 * Additive increase, multiplicative decrease (as TCP does it): an overload halves the width, once for all the calls
 * that were in flight together; each width of good replies adds one place, up to the ceiling.
 */
export function createPlaces(first: number): Places & { setCeiling(ceiling: number): void } {
  let ceiling = first;
  let width = first;
  let shrinks = 0;
  const queue = new PQueue({ concurrency: first });

  function setWidth(next: number) {
    width = Math.min(ceiling, Math.max(1, next));
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
    setCeiling(next) {
      if (next === ceiling) return;
      const full = width === ceiling;
      ceiling = next;
      setWidth(full ? next : width);
    },
  };
}
